from typing import Any

import pytest

from lamina.identity import message_ids
from lamina.testing.factories import draft, scope

FILMS = scope("films", "recommender")


@pytest.mark.parametrize("other", [{"item": "2"}, {"action": "click"}, {"rating": 3.5}])
def test_what_was_done_with_an_item_tells_messages_apart(other: dict[str, Any]) -> None:
    done = draft("liked it", item="1", action="rate", rating=4)
    given = {"item": "1", "action": "rate", "rating": 4.0}

    again, changed = (
        message_ids(FILMS, [draft("liked it", **given)]),
        draft("liked it", **given | other),
    )

    assert message_ids(FILMS, [done]) == again
    assert message_ids(FILMS, [changed]) != again


def test_what_is_only_said_keeps_the_id_that_it_always_had() -> None:
    assert message_ids(scope("alice"), [draft(), draft()]) == [
        "08b79dbd037beefbffd91d6e19d68740",
        "1a48d1db660a2f2ce3e8a953646f3898",
    ]
