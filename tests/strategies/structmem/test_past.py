from dataclasses import replace
from datetime import timedelta

from lamina.model import Event, NoteDraft
from lamina.strategies.structmem.past import near
from tests.strategies.structmem.listed import NOON, ListedView, note, talk

OLD = talk(("Ann", "The boat needs paint."), ("Bo", "The boat is blue."), session="s1")
NEW = talk(("Ann", "The boat sails."), session="s2", said_at=NOON + timedelta(days=1))


def view_with(*drafts: NoteDraft) -> ListedView:
    view = ListedView([replace(m, progress="bound") for m in OLD + NEW])
    view.notes = {made.id: made for draft in drafts for made in [note(draft, view.messages)]}
    return view


def found(view: ListedView, seeds: int = 15) -> list[str]:
    past = near(view.events(["s2-1"]), view, seeds)
    return [e.message.id if isinstance(e, Event) else e.text for e in past.entries]


def test_the_history_is_strictly_earlier_than_the_buffer() -> None:
    view = view_with()
    same = replace(NEW[0], id="s3-1", session="s3")
    view.messages += [same, replace(NEW[0], id="s3-2", said_at=NOON + timedelta(days=2))]

    assert sorted(found(view)) == ["s1-1", "s1-2"]


def test_several_seeds_of_one_event_bring_it_once() -> None:
    facts = [
        NoteDraft(kind="fact", text=f"The boat needs {n} cans.", event="s1-1", sources=("s1-1",))
        for n in range(5)
    ]

    assert found(view_with(*facts)).count("s1-1") == 1


def test_a_summary_may_be_a_seed_unless_it_is_not_supported() -> None:
    good = NoteDraft(kind="summary", text="The boat was painted.", sources=("s1-1",))
    bad = replace(good, text="The boat sank.", supported=False)

    assert "The boat was painted." in found(view_with(good, bad))
    assert "The boat sank." not in found(view_with(good, bad))


def test_so_many_seeds_and_no_more() -> None:
    assert len(found(view_with(), seeds=1)) == 1
    assert found(view_with(), seeds=0) == []
