"""How a batch of interactions becomes notes: write, link, evolve and reflect, a stage at a time.

An interaction sees only what comes before it. Nothing here is written: what was made is told in
order, up to the first interaction of which a stage failed and is to be tried again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from lamina.model import NoteDraft
from lamina.ports import Failure
from lamina.strategies.atomrec import gates
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.gates import Change
from lamina.strategies.atomrec.stages import (
    Card,
    Click,
    Evolution,
    Evolving,
    Fields,
    Forming,
    Linking,
    Reflecting,
    Reflection,
    Relation,
    Written,
)

T = TypeVar("T")
ABOUT = "about it"
"""The relation of a link from what a user did with an item to the item's note."""


class View(Protocol):
    """What forming may read. It keeps a log of what it handed out for each interaction.

    Interactions are named by their place in the batch.
    """

    @property
    def users(self) -> Sequence[str]:
        """Whose interaction each is."""
        ...

    def click(self, place: int) -> Click:
        """Return an interaction, and what is known before it and was added for those before it."""
        ...

    def add(self, place: int, draft: NoteDraft) -> Card | None:
        """Take a new note of an interaction; return how it is shown; `None` if it has one already.

        Of an item's note the view sees to its event, and adds the description to its sources.
        """
        ...

    def item_note(self, place: int) -> Card | None:
        """Return the note of the interaction's item, which may be one just added."""
        ...

    def near(self, places: Sequence[int]) -> list[list[Card]]:
        """Return up to k_link notes near to the user's note of each, most similar first."""
        ...

    def now(self, place: int, card: Card) -> Card:
        """Return a note that was handed out as it says after the changes by those up to it."""
        ...

    def counts(self, place: int) -> str:
        """Return what recurs in the notes of the interaction's user, worked out."""
        ...

    def linked(self, place: int, card: Card, others: Sequence[Card]) -> tuple[str, ...]:
        """Return the ids of those of some notes that a note is linked with, either way."""
        ...

    def may_evolve(self, place: int, card: Card) -> bool:
        """Whether an interaction may change a note.

        Not if a person wrote it, nor one of an item of which only its description may be told.
        """
        ...

    def link(self, place: int, target: str, relation: str) -> None:
        """Take a link from the user's note of an interaction to another note."""
        ...

    def change(self, place: int, change: Change) -> None:
        """Take a change of a note, made by an interaction.

        One that comes too late, since an interaction after it has changed the note, is left out.
        """
        ...

    def profile(self, place: int, fields: Fields, note: Card) -> None:
        """Take what is known of the interaction's user in all from now on."""
        ...


@dataclass(slots=True)
class Formed:
    """What became of one interaction."""

    place: int
    failure: Failure | None = None
    """Why nothing was made of it."""
    click: Click | None = None
    note: Card | None = None
    """The user's new note; `None` if there is one already."""
    near: list[Card] = field(default_factory=list)
    links: tuple[Relation, ...] = ()

    @property
    def stands(self) -> bool:
        """Whether something may be made of it."""
        return self.failure is None


def form(
    count: int, stages: Forming, view: View, config: AtomRecConfig, tau: float
) -> list[Formed]:
    """Form the notes of a batch.

    Args:
        count: How many interactions there are.
        stages: What writes, links, evolves and reflects.
        view: What is known; it is told what is made.
        config: The parameters of the method.
        tau: Cosine above which a near note is reconsidered though it is not linked.
    """
    all_formed = [Formed(place) for place in range(count)]
    _write(all_formed, stages, view)
    if config.links != "none":
        _tie(all_formed, view)
    standing = [each for each in all_formed if each.note]
    for each, near in zip(standing, view.near([each.place for each in standing]), strict=True):
        each.near = near
    _link(standing, stages, view, config)
    if config.evolves:
        _evolve(standing, stages, view, config, tau)
    if config.reflects and stages.asks:
        _reflect(standing, stages, view, config)
    return all_formed


def redone(all_formed: Sequence[Formed]) -> int:
    """Return the place of the first interaction to be tried again; their number if none is."""
    for each in all_formed:
        if each.failure and each.failure.reason != "malformed":
            return each.place
    return len(all_formed)


def _waves(keyed: Iterable[tuple[str, T]]) -> Iterator[list[T]]:
    """Yield what is keyed in parts, in order, each with at most one of a key."""
    left = list(keyed)
    while left:
        wave: dict[str, T] = {}
        rest = []
        for key, each in left:
            if key in wave:
                rest.append((key, each))
            else:
                wave[key] = each
        yield list(wave.values())
        left = rest


def _write(all_formed: Sequence[Formed], stages: Forming, view: View) -> None:
    """Let the notes be written: of each user one after the other, since one tells of the last."""
    for wave in _waves((view.users[each.place], each) for each in all_formed):
        clicks = [view.click(each.place) for each in wave]
        if stages.asks:
            clicks = [
                replace(click, counts=view.counts(each.place))
                for click, each in zip(clicks, wave, strict=True)
            ]
        for each, click, written in zip(wave, clicks, stages.write(clicks), strict=True):
            each.click = click
            if isinstance(written, Failure):
                each.failure = written
            else:
                _add(each, click, written, view)


def _add(formed: Formed, click: Click, written: Written, view: View) -> None:
    if written.item and click.new_item:
        view.add(formed.place, _item_note(written.item, click))
    formed.note = view.add(formed.place, _user_note(written.user, click))


def _tie(all_formed: Sequence[Formed], view: View) -> None:
    """Link what a user did with an item to the item's note."""
    for each in all_formed:
        item = view.item_note(each.place) if each.stands else None
        if item:
            view.link(each.place, item.id, ABOUT)


def _user_note(fields: Fields, click: Click) -> NoteDraft:
    done = click.interaction
    return NoteDraft(
        kind="user_note",
        text=fields.content,
        event=done.id,
        sources=(done.id,),
        about=done.user,
        said_by=done.user,
        keywords=fields.keywords,
        tags=fields.tags,
        context=fields.context,
    )


def _item_note(fields: Fields, click: Click) -> NoteDraft:
    return NoteDraft(
        kind="item_note",
        text=fields.content,
        sources=() if click.metadata_only else (click.interaction.id,),
        about=click.interaction.item,
        keywords=fields.keywords,
        tags=fields.tags,
        context=fields.context,
    )


def _link(standing: Sequence[Formed], stages: Forming, view: View, config: AtomRecConfig) -> None:
    if config.links == "none":
        return
    asked = [Linking(new=_note(each), near=tuple(each.near)) for each in standing]
    for each, linked in zip(standing, stages.link(asked), strict=True):
        if isinstance(linked, Failure):
            _fail(each, linked)
        else:
            shown = {card.id for card in each.near}
            named = {link.target: link for link in linked[::-1] if link.target in shown}
            each.links = tuple(named.values())[::-1]
            for link in each.links:
                view.link(each.place, link.target, link.relation or "")


def _evolve(
    standing: Sequence[Formed], stages: Forming, view: View, config: AtomRecConfig, tau: float
) -> None:
    """Let notes evolve: each by one interaction after the other, so that no change is lost."""
    triggers = [
        (target.id, (target, each))
        for each in standing
        if each.stands
        for target in _targets(each, view, config, tau)
    ]
    for wave in _waves(triggers):
        asked = [
            _evolving(each, view.now(each.place, target), view, config) for target, each in wave
        ]
        if stages.asks:
            asked = [_tied(one, each, view) for one, (_, each) in zip(asked, wave, strict=True)]
        for (_, each), one, proposed in zip(wave, asked, stages.evolve(asked), strict=True):
            if isinstance(proposed, Failure):
                _fail(each, proposed)
            elif proposed and each.stands:
                _admit(each, view, one, proposed, config)


def _targets(formed: Formed, view: View, config: AtomRecConfig, tau: float) -> list[Card]:
    """Return the historical notes to reconsider: linked ones first, the most similar first."""
    linked = {link.target for link in formed.links}
    candidates = [card for card in formed.near if card.id in linked or card.similarity > tau]
    candidates.sort(key=lambda card: (card.id not in linked, -card.similarity))
    return [card for card in candidates if view.may_evolve(formed.place, card)][
        : config.most_evolved
    ]


def _evolving(formed: Formed, target: Card, view: View, config: AtomRecConfig) -> Evolving:
    linked = {link.target for link in formed.links}
    others = [card for card in formed.near if card.id != target.id]
    others.sort(key=lambda card: card.id not in linked)
    nearby = tuple(view.now(formed.place, card) for card in others[: config.nearby])
    return Evolving(new=_note(formed), target=target, nearby=nearby)


def _tied(asked: Evolving, formed: Formed, view: View) -> Evolving:
    known = view.linked(formed.place, asked.target, (asked.new, *asked.nearby))
    return replace(asked, linked=known)


def _admit(
    formed: Formed, view: View, asked: Evolving, proposed: Evolution, config: AtomRecConfig
) -> None:
    shown = (asked.new, *asked.nearby)
    change = gates.admitted(proposed, asked.target, shown, config.least_confidence)
    if change:
        view.change(formed.place, change)


def _reflect(
    standing: Sequence[Formed], stages: Forming, view: View, config: AtomRecConfig
) -> None:
    for wave in _waves((view.users[each.place], each) for each in standing if each.stands):
        asked = [_reflecting(each, view, config) for each in wave]
        for each, one, answer in zip(wave, asked, stages.reflect(asked), strict=True):
            if isinstance(answer, Failure):
                _fail(each, answer)
            elif answer:
                _take(each, view, one, answer, config)


def _reflecting(formed: Formed, view: View, config: AtomRecConfig) -> Reflecting:
    assert formed.click
    item = view.item_note(formed.place)
    near = [card for card in formed.near if not item or card.id != item.id]
    return Reflecting(
        click=formed.click,
        note=_note(formed),
        item=item and view.now(formed.place, item),
        neighbours=tuple(view.now(formed.place, card) for card in near[: config.neighbours]),
    )


def _take(
    formed: Formed, view: View, asked: Reflecting, answer: Reflection, config: AtomRecConfig
) -> None:
    """Take the profile, and what passes the gates of evolution."""
    if answer.profile.content.strip():
        view.profile(formed.place, answer.profile, asked.note)
    if not config.evolves:
        return
    proposed = dict(answer.neighbours)
    if asked.item and answer.item:
        proposed[asked.item.id] = answer.item
    cards = (asked.note, *((asked.item,) if asked.item else ()), *asked.neighbours)
    shown = {card.id: card for card in cards}
    proposed.pop(asked.note.id, None)
    for change in gates.all_admitted(proposed, shown, config.least_confidence):
        if view.may_evolve(formed.place, shown[change.target]):
            view.change(formed.place, change)


def _fail(formed: Formed, failure: Failure) -> None:
    """Put down a failure; of a reply that made no sense only that stage's outcome is lost."""
    if failure.reason != "malformed":
        formed.failure = failure


def _note(formed: Formed) -> Card:
    assert formed.note
    return formed.note
