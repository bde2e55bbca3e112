"""What stands on what: which notes go when something is put out of force.

A revision stands on the messages that are its sources, on the state that each of its parents had
when it was formed, and on the revision before it, whose words it carries on. What a person wrote
stands on its messages alone. Nothing is written here: `marks` and `steps` say what is to be.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lamina.memory.chronicle import Chronicle
from lamina.model import Gone, Message, Note, Progress, Scope, Step
from lamina.ports import Store


class Dependents:
    """One scope as it will be: what is lost by a change, and what is regained."""

    def __init__(self, store: Store, scope: Scope) -> None:
        """Begin with the scope as it is, nothing lost and nothing regained."""
        self.store = store
        self.scope = scope
        self.past = Chronicle(store, scope)
        self.lost: dict[str, dict[int, Note]] = {}
        """By note and number: the revisions that will not count any longer."""
        self.regained: dict[str, dict[int, Note]] = {}
        """By note and number: those that will count again."""
        self.hidden: dict[str, Message] = {}
        """The messages that will be hidden."""
        self.shown: dict[str, None] = {}
        """Ids of the messages that will be live again."""
        self.roots: set[tuple[str, int]] = set()
        """The revisions from which it all began: what they did is not to be done again."""
        self._told: set[tuple[str, int]] = set()
        """The revisions for which another mark speaks: on their note or their operation."""
        self._kept: set[str] = set()
        """Messages that need not be put back: their old summary returns, or it is said already."""
        self._waiting: set[str] = set()
        """Messages that are back in the buffer by what is said already."""
        self._open: dict[str, None] = {}
        """Notes that lost a state, where what was formed from it is still to be looked for."""

    # What may happen to a scope.

    def lose(self, note: Note, *, root: bool = False, told: bool = False) -> None:
        """Put a revision out of force, with the later ones that carry it on.

        Args:
            note: As the revision says.
            root: Whether it is what the change is about, not what stands on it.
            told: Whether a mark of another kind says so.
        """
        place = (note.id, note.revision)
        if root:
            self.roots.add(place)
        if root or told:
            self._told.add(place)
        lost = self.lost.setdefault(note.id, {})
        counting = self.past.counting(note.id)
        if note.revision in lost or note.revision not in counting:
            return
        lost[note.revision] = note
        self._open[note.id] = None
        self._lose_later(note, counting)

    def hide(self, ids: Collection[str]) -> None:
        """Hide messages, and put out of force every revision that rests on one of them."""
        found = self.store.messages(self.scope, [i for i in ids if i not in self.hidden])
        self.hidden.update((message.id, message) for message in found)
        asked = {message.id for message in found}
        for note in self.store.resting_on(self.scope, list(asked)) if asked else []:
            for each in self.past.counting(note.id).values():
                if asked.intersection(each.sources) or each.event in asked:
                    self.lose(each)

    def settle(self) -> None:
        """Lose what was formed from states that are lost, and what stands on that."""
        while self._open:
            ids = list(self._open)
            self._open.clear()
            formed = self.store.formed_from(self.scope, ids)
            self.past.look_up(note.operation for note in formed)
            for note in formed:
                parents = [parent for parent in note.parents if parent in self.lost]
                if not note.by_person and any(self._stood_on(note, p) for p in parents):
                    self.lose(note)

    def _lose_later(self, note: Note, counting: Mapping[int, Note]) -> None:
        """Lose the revisions that carry on one that is lost, of those that count."""
        for later in counting.values():
            if later.revision > note.revision and not later.by_person:
                self.lose(later)

    # What it comes to.

    def after(self, id_: str) -> Note | None:
        """Return what a note will say, or `None` if it will be hidden."""
        lost, regained = self.lost.get(id_, {}), self.regained.get(id_, {})
        left = {n: note for n, note in self.past.counting(id_).items() if n not in lost} | regained
        return left[max(left)] if left else None

    def marks(self, *, always: bool) -> tuple[Gone, ...]:
        """Return what is to be put out of force so that it comes to this."""
        return (
            *(
                Gone(what="revision", id=id_, revision=number, always=always)
                for id_, lost in self.lost.items()
                for number in lost
                if (id_, number) not in self._told
            ),
            *(Gone(what="consolidation", id=m.id) for m in self.reopened() if m.consolidated),
        )

    def reopened(self) -> list[Message]:
        """Return the messages whose summary is lost and is to be formed anew."""
        summaries = [
            note
            for id_, lost in self.lost.items()
            for number, note in lost.items()
            if note.kind == "summary" and (id_, number) not in self.roots
        ]
        taken = {id_ for note in summaries for id_ in self.past.taken_up_by(note)}
        back = taken.difference(self._kept, self.hidden)
        return self.store.messages(self.scope, sorted(back))

    def progress(self) -> Mapping[str, Progress]:
        """Return how far messages will be that are further or less far now."""
        return {}

    def steps(self, shown: Sequence[Message] = ()) -> tuple[Step, ...]:
        """Return what is to be done so that the rest is formed anew.

        Args:
            shown: The messages that will be live again.
        """
        if self.scope.kind == "recommender":
            return (Step(kind="write", subject=""),) if shown else ()
        back = [message.session for message in shown]
        index = [*(message.session for message in self.hidden.values()), *back]
        waiting = self.store.messages(self.scope, sorted(self._waiting))
        consolidate = [*(message.session for message in (*self.reopened(), *waiting)), *back]
        wanted = [
            *(Step(kind="index", subject=session) for session in index),
            *(Step(kind="bind", subject=session) for session in back),
            *(Step(kind="supersede", subject=operation) for operation in self._compared()),
            *(Step(kind="consolidate", subject=session) for session in consolidate),
        ]
        return tuple(dict.fromkeys(wanted))

    # How it is found.

    def _stood_on(self, formed: Note, parent: str) -> bool:
        """Whether what a parent said when a note was formed from it is lost, and not said now."""
        number = self.past.number(formed.operation)
        before = [
            note
            for note in self.past.counting(parent).values()
            if self.past.number(note.operation) <= number
            and (note.id, note.revision) != (formed.id, formed.revision)
        ]
        lost = self.lost[parent]
        if not before or before[-1].revision not in lost:
            return False
        left = [note for note in before if note.revision not in lost]
        return not left or left[-1].text != before[-1].text

    def _compared(self) -> list[str]:
        """Return the operations that wrote the facts which are to be compared with others anew."""
        changed = [
            note.id
            for by_number in (*self.lost.values(), *self.regained.values())
            for note in by_number.values()
            if note.kind == "fact" and (note.id, note.revision) not in self.roots
        ]
        left = [id_ for id_ in dict.fromkeys(changed) if self.after(id_)]
        return [self.past.states(id_)[1].note.operation for id_ in left]
