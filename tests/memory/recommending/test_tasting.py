from dataclasses import replace
from datetime import timedelta

from lamina.memory.recommending import tasting
from lamina.model import Revision
from lamina.ports import NEVER
from lamina.testing.clock import NOON
from lamina.times import to_micros

WRITTEN = Revision(
    note="n", number=1, text="Heat", operation="o", cause="write", model=None, prompt_digest=None,
    sources=("m",), parents=(), known_at=NOON, recorded_at=NOON, tags=("Crime",),
)  # fmt: skip
EVOLVED = replace(WRITTEN, number=2, tags=("Crime", "Musical"))
BY_HAND = replace(
    WRITTEN, number=3, tags=("Heist",), by_person=True, known_at=NOON + timedelta(days=1)
)


def test_what_a_note_gained_from_others_says_nothing_of_what_was_done() -> None:
    assert tasting.said([WRITTEN, EVOLVED], NEVER) == WRITTEN


def test_what_a_person_wrote_counts_from_then_on() -> None:
    revisions = [WRITTEN, EVOLVED, BY_HAND]
    assert tasting.said(revisions, NEVER) == BY_HAND
    assert tasting.said(revisions, to_micros(BY_HAND.known_at)) == WRITTEN
    undone = replace(BY_HAND, withdrawn=True)
    assert tasting.said([WRITTEN, EVOLVED, undone], NEVER) == WRITTEN
