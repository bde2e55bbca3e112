"""What is known when a batch of interactions is formed, and what is made of it.

It hands out only what comes before each interaction, and keeps a log of that, from which `known_at`
of each operation is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina.model import Message, Note, NoteDraft, Scope
from lamina.ports import Document, Graph, Operation
from lamina.strategies.atomrec import profiles, reading
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.gates import Change
from lamina.strategies.atomrec.stages import Card, Click, Fields, Side
from lamina.times import from_micros
from lamina.work import indexing, keeping, visibility
from lamina.work.acts import Acts
from lamina.work.batch_notes import BatchNotes
from lamina.work.descriptions import Descriptions
from lamina.work.drafts import note_of
from lamina.work.engine import Engine
from lamina.work.making import Making
from lamina.work.neighbourhood import Made, Neighbourhood, Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lamina.model import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a recommender keeps to when notes are formed."""

    config: AtomRecConfig
    configuration: Mapping[str, Any] = field(default_factory=dict)
    """See `Store.configuration`."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """User to group."""


class BatchView:
    """A `View` of one recommender for one batch; see `lamina.strategies.atomrec.forming`."""

    def __init__(
        self, engine: Engine, scope: Scope, messages: Sequence[Message], terms: Terms
    ) -> None:
        """Read what all stages need.

        Args:
            engine: Where it is kept, and what encodes.
            scope: The recommender.
            messages: The interactions, in (said_at, position) order.
            terms: What to keep to.

        Raises:
            Conflict: One of the interactions is there no longer.
        """
        self._engine, self._scope, self._terms = engine, scope, terms
        self.messages = messages
        self.graph: Graph = engine.store.graph(scope)
        self.makings = [Making() for _ in messages]
        self.new: list[tuple[int, Note]] = []
        """Place and new note, in the order added."""
        self._acts = Acts(self.graph, messages)
        self._descriptions = Descriptions(engine.store, scope, messages)
        self._notes = BatchNotes(engine.store, scope, self.makings)
        self._own: dict[str, list[str]] = {}
        """By user: the ids of their notes added so far."""
        self._item_notes: dict[str, str] = {}
        """By item: the id of the note that was added."""
        rules = terms.configuration, terms.groups
        self._showing = visibility.Showing(engine.store, scope, *rules)
        self._profiles: dict[str, str] = {}
        """By user: the id of the profile that was added."""
        self._texts: list[indexing.Text] = []
        self._vectors: Vectors
        found = engine.store.of_messages(scope, [message.id for message in messages])
        self._had = {id_: n for id_, notes in found.items() for n in notes if n.kind == "user_note"}
        self._notes.read(self._graph_refs())

    @property
    def users(self) -> Sequence[str]:
        """See `View.users`."""
        return [message.speaker for message in self.messages]

    def click(self, place: int) -> Click:
        """See `View.click`."""
        message, act = self.messages[place], self._acts.all[place]
        description = self._descriptions.by(message)
        for read in (message, description):
            if read:
                self.makings[place].hand_out(read.said_at)
        usual, rated = self._acts.usual(act)
        return Click(
            interaction=keeping.interaction(message),
            item=self._descriptions.item(message),
            recent=tuple(self._recent(place, self._terms.config.recent)),
            profile=told.text if (told := self._profile(place)) else "",
            new_item=self._writes_item_note(place),
            metadata_only=self._tells_metadata_only(place, message.item),
            usual=usual,
            rated=rated,
        )

    def item_note(self, place: int) -> Card | None:
        """See `View.item_note`."""
        act = self._acts.all[place]
        row = self._acts.item_note(act)
        if row is not None and self.graph.known_from[row] > act.at:
            return None
        added = self._item_notes.get(self.messages[place].item or "")
        id_ = added if row is None else self.graph.refs[row]
        return None if id_ is None else self._card(place, id_)

    def near(self, places: Sequence[int]) -> list[list[Card]]:
        """See `View.near`."""
        if not self.new:
            return [[] for _ in places]
        self._texts = [indexing.note(note) for _, note in self.new]
        self._vectors = self._engine.encoder.encode([text.shown for text in self._texts])
        space = Neighbourhood(self.graph, self._made_rows())
        own = {p: i for i, (p, note) in enumerate(self.new) if note.kind == "user_note"}
        queries = [Query(made=own[place], by=self._acts.all[place].at) for place in places]
        visible = self._visible(places)
        found = space.near(queries, self._terms.config.k_link, visible)
        ids = [[(self._ref(row), cosine) for row, cosine in near] for near in found]
        self._notes.read(id_ for near in ids for id_, _ in near)
        return [
            [card for id_, cosine in near if (card := self._card(place, id_, cosine))]
            for place, near in zip(places, ids, strict=True)
        ]

    def now(self, place: int, card: Card) -> Card:
        """See `View.now`."""
        if not self._notes.is_made(card.id):
            return card
        return self._card(place, card.id, card.similarity) or card

    def counts(self, place: int) -> str:
        """See `View.counts`."""
        return profiles.told(self._recent(place, reading.PROFILED))

    def linked(self, place: int, card: Card, others: Sequence[Card]) -> tuple[str, ...]:
        """See `View.linked`."""
        asked = {other.id for other in others} - {card.id}
        stored = self._acts.linked(self._acts.all[place], card.id)
        found = asked & stored.keys()
        for id_ in found:
            self.makings[place].hand_out(from_micros(stored[id_]))
        for by, making in enumerate(self.makings[: place + 1]):
            made = {end for ends in making.links if card.id in ends for end in ends} & asked
            if made - found and by != place:
                self.makings[place].read.add(by)
            found |= made
        return tuple(other.id for other in others if other.id in found)

    def may_evolve(self, place: int, card: Card) -> bool:
        """See `View.may_evolve`."""
        note = self._notes.latest(card.id)
        if note is None or note.by_person:
            return False
        return note.kind != "item_note" or not self._tells_metadata_only(place, note.item)

    # What is made.

    def add(self, place: int, draft: NoteDraft) -> Card | None:
        """See `View.add`."""
        message = self.messages[place]
        if draft.kind == "user_note" and message.id in self._had:
            return None
        note = self._note(place, draft)
        if draft.kind == "item_note":
            self._item_notes[message.item or ""] = note.id
        else:
            self._own.setdefault(message.speaker, []).append(note.id)
        self._notes.add(place, note)
        self.new.append((place, note))
        return self._card(place, note.id)

    def link(self, place: int, target: str, relation: str) -> None:
        """See `View.link`."""
        had = self._had.get(self.messages[place].id)
        own = next((n for n in self.makings[place].written.values() if n.kind == "user_note"), had)
        if own is not None:
            self.makings[place].link(own.id, target, relation)

    def change(self, place: int, change: Change) -> None:
        """See `View.change`."""
        base = self._notes.base(place, change.target)
        if base is None or base.by_person:
            return
        new = replace(
            base,
            keywords=change.fields.keywords,
            tags=change.fields.tags,
            context=change.fields.context,
            parents=change.supporting,
            sureness=change.confidence,
            narrower=change.narrower,
        )
        if indexing.note(new).shown != indexing.note(base).shown:
            self._notes.revise(place, base, new)
        for link in change.links:
            self.makings[place].link(change.target, link.target, link.relation or "")

    def profile(self, place: int, fields: Fields, note: Card) -> None:
        """See `View.profile`."""
        message, known = self.messages[place], self._profile(place)
        draft = NoteDraft(
            kind="profile",
            text=fields.content,
            sources=(message.id,),
            parents=(note.id,),
            about=message.speaker,
            keywords=fields.keywords,
            tags=fields.tags,
            context=fields.context,
            revises=known.id if known else None,
            base=known.revision if known else 0,
        )
        new = self._note(place, draft)
        base = self._notes.base(place, known.id) if known else None
        if base:
            self._notes.revise(place, base, new)
        elif known is None:
            self._notes.begin(place, new)
            self._profiles[message.speaker] = new.id

    # How it is read.

    def _graph_refs(self) -> list[str]:
        """Return the ids of the stored notes that clicks tell of."""
        acts, config = self._acts, self._terms.config
        rows = [row for act in acts.all for row in acts.recent(act, config.recent)]
        rows += [row for act in acts.all if (row := acts.item_note(act)) is not None]
        rows += [row for act in acts.all if (row := acts.profile(act)) is not None]
        return [self.graph.refs[row] for row in rows]

    def _card(self, place: int, id_: str, similarity: float = 0.0) -> Card | None:
        """Return a note as it is shown to the stages, if it is there and may be."""
        note = self._shown(place, self._notes.at(place, id_))
        if note is None:
            return None
        user = self.messages[place].speaker
        own = note.kind == "user_note" and note.about == user
        side: Side = "item" if note.kind == "item_note" else "own" if own else "other"
        return Card(
            id=id_,
            side=side,
            fields=Fields(
                content=note.text, keywords=note.keywords, tags=note.tags, context=note.context
            ),
            at=note.said_at,
            item=note.item or "",
            rating=self._acts.rating(note.event or "") if own else None,
            similarity=similarity,
        )

    def _tells_metadata_only(self, place: int, item: str | None) -> bool:
        """Whether the note of an item may tell only what its description says."""
        configuration, act = self._terms.configuration, self._acts.all[place]
        if visibility.is_open(configuration) or item is None:
            return False
        number = self.graph.items.index(item)
        return visibility.metadata_only(self.graph, configuration, number, act.at)

    def _shown(self, place: int, note: Note | None) -> Note | None:
        """Return a note as it may be shown for an interaction, if it may be."""
        if note is None or self._notes.is_made(note.id):
            return note
        return next(iter(self._showing.to(self.messages[place].speaker, [note])), None)

    def _writes_item_note(self, place: int) -> bool:
        """Whether the item has no note, and none before it in the batch is about it."""
        act = self._acts.all[place]
        first = next(i for i, each in enumerate(self._acts.all) if each.item == act.item)
        return first == place and self._acts.item_note(act) is None

    def _recent(self, place: int, count: int) -> list[Card]:
        """Return the user's latest notes, latest first."""
        user = self.messages[place].speaker
        if not count:
            return []
        rows = self._acts.recent(self._acts.all[place], count)
        ids = [self.graph.refs[row] for row in rows] + self._own.get(user, [])[-count:]
        self._notes.read(ids)
        cards = [card for id_ in ids[::-1] if (card := self._card(place, id_))]
        cards.sort(key=lambda card: card.at, reverse=True)
        return cards[:count]

    def _profile(self, place: int) -> Note | None:
        """Return what is known of the user in all, if anything is."""
        row = self._acts.profile(self._acts.all[place])
        made = self._profiles.get(self.messages[place].speaker)
        id_ = made if row is None else self.graph.refs[row]
        return None if id_ is None else self._shown(place, self._notes.at(place, id_))

    def _visible(self, places: Sequence[int]) -> list[NDArray[np.bool_] | None]:
        """Return for each interaction whose notes its user may be shown."""
        terms, users = self._terms, self.users
        seen = {
            user: visibility.visible(self.graph, terms.configuration, terms.groups, user)
            for user in {users[place] for place in places}
        }
        return [seen[users[place]] for place in places]

    # How what is new is found.

    def _note(self, place: int, draft: NoteDraft) -> Note:
        """Return the note of a draft; of an item's note the description is a source, and its event.

        It begins when the interaction was: a description may be known for ever.
        """
        message = self.messages[place]
        said = {message.id: message}
        if draft.kind == "item_note":
            description = self._descriptions.by(message) or message
            said[description.id] = description
            ids = dict.fromkeys((description.id, *draft.sources))
            draft = replace(draft, event=description.id, sources=tuple(ids))
        sources = [said[id_] for id_ in draft.sources]
        now = self._engine.clock.now()
        made = Operation(id="", kind="write", known_at=message.said_at, recorded_at=now)
        note = note_of(self._scope, draft, sources, made)
        item = None if draft.kind == "profile" else message.item
        return replace(note, began_at=note.said_at, item=item)

    def documents(self) -> list[tuple[int, Document]]:
        """Return what shows each new note, with the place of its interaction."""
        shown = indexing.shown_by(self._texts, self._vectors) if self.new else []
        return [(place, each) for (place, _), each in zip(self.new, shown, strict=True)]

    def _made_rows(self) -> Made:
        acts = self._acts.all
        places = [place for place, _ in self.new]
        mine = [note.kind == "user_note" for _, note in self.new]
        return Made(
            vectors=self._vectors,
            whose=np.array(
                [acts[p].user if own else -1 for p, own in zip(places, mine, strict=True)],
                np.int32,
            ),
            about=np.array([acts[place].item for place in places], np.int32),
            places=np.array(places, np.int32),
            at=np.array([acts[place].at for place in places], np.int64),
        )

    def _ref(self, row: int) -> str:
        known = len(self.graph.refs)
        return self.graph.refs[row] if row < known else self.new[row - known][1].id
