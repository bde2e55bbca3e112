"""What stands on what in a pool: patterns, and the parts that their revisions took in.

A revision of a pattern that says what the one before it did can go alone. One that founded the
pattern or changed its words takes with it those that came after, for they may repeat it; the parts
that those took in wait to be taken in anew. `lamina.ports.Erasure.forget_part` keeps to the same.
A part whose taking-in is itself undone, or whose pattern is withdrawn, stays out until that is
undone in turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from lamina.memory.chronicle import State
from lamina.memory.undoing import Undoing
from lamina.model import Gone, Message, Note, Progress, Scope, Step
from lamina.ports import NEVER, Operation, Store
from lamina.work.pools import said_by

APART = frozenset({"revisit", "merge"})
"""Kinds of operation that withdraw a pattern whose parts are taken in elsewhere."""


def undoing_in(store: Store, scope: Scope) -> Undoing:
    """Return a scope as it will be, with nothing lost yet, by the rules of its kind."""
    return Supporting(store, scope) if scope.kind == "pool" else Undoing(store, scope)


class Supporting(Undoing):
    """One pool as it will be when parts, patterns or operations are put out of force."""

    def __init__(self, store: Store, scope: Scope) -> None:
        """Begin with nothing undone."""
        super().__init__(store, scope)
        self._freed: dict[str, None] = {}
        """Parts that are lost with what others said before them."""

    def hide(self, ids: Collection[str]) -> None:
        """Hide parts, and put out of force every revision that took one in."""
        found = self.store.messages(self.scope, [i for i in ids if i not in self.hidden])
        self.hidden.update((message.id, message) for message in found)
        asked = {message.id for message in found}
        for id_ in self._resting_on(message.id for message in found):
            for each in self.past.counting(id_).values():
                if asked.intersection(each.sources):
                    self.lose(each)

    def reopened(self) -> list[Message]:
        """Return the parts that wait to be taken in anew."""
        out = {id_ for at in self.roots for id_ in self._parts(at)}
        kept = {
            id_ for by in self.regained.values() for note in by.values() for id_ in note.sources
        }
        back = sorted(self._freed.keys() - out - kept - self.hidden.keys())
        live = self.past.live(back) | self.shown.keys()
        found = self.store.recorded(self.scope, back) if back else []
        return [message for message in found if message.id in live]

    def progress(self) -> Mapping[str, Progress]:
        """Return how far parts will be: those that wait anew, and those that count again."""
        found: dict[str, Progress] = dict.fromkeys(sorted(self._regained_parts()), "bound")
        return found | dict.fromkeys((message.id for message in self.reopened()), "pending")

    def steps(self, shown: Sequence[Message] = ()) -> tuple[Step, ...]:
        """Return what is to be done so that what waits is taken in."""
        return (Step(kind="write", subject=""),) if shown or self.reopened() else ()

    def _lose_later(self, note: Note, counting: Mapping[int, Note]) -> None:
        """Lose the revisions that may repeat one that is lost."""
        if self._leads(note, counting):
            for later in counting.values():
                if later.revision > note.revision and later.revision not in self.lost[note.id]:
                    self._free(later)

    def _free(self, note: Note) -> None:
        """Lose a revision for what came before it, and let its part be taken in anew."""
        self._freed.update(dict.fromkeys(note.sources))
        self.lose(note)

    def _leads(self, note: Note, counting: Mapping[int, Note]) -> bool:
        """Whether later revisions may repeat what this one was the first to say."""
        before = [each for number, each in counting.items() if number < note.revision]
        return not before or said_by(before[-1]) != said_by(note)

    def _parts(self, place: tuple[str, int]) -> Sequence[str]:
        state = self.past.states(place[0]).get(place[1])
        return state.note.sources if state else ()

    def _regained_parts(self) -> set[str]:
        notes = (note for by_number in self.regained.values() for note in by_number.values())
        return {id_ for note in notes for id_ in note.sources}

    def _resting_on(self, parts: Iterable[str]) -> list[str]:
        """Return the ids of patterns with a revision that counts and took one of these in."""
        return list(dict.fromkeys(id_ for part in parts for id_ in self._taken_by.get(part, ())))

    @cached_property
    def _taken_by(self) -> dict[str, list[str]]:
        """By part: the ids of the patterns that took it in, as it is now."""
        graph = self.store.graph(self.scope)
        support, found = graph.support, defaultdict[str, list[str]](list)
        for row in np.flatnonzero(support.known_until == NEVER).tolist():
            found[support.parts[row]].append(graph.note_names[support.of[row]])
        return found

    def _mark_again(self, mark: Gone) -> None:
        """Put out of force anew what a mark says; see `Undoing`.

        What was lost for what came before it waits, as it did then, and not what is meant itself:
        of that its message, its pattern or its operation is marked.
        """
        if mark.what != "revision":
            super()._mark_again(mark)
            return
        note = self.past.counting(mark.id).get(mark.revision)
        if note is not None:
            self._told.add((note.id, note.revision))
            self._free(note)

    def _regain(self, note: Note, since: Operation) -> None:
        """Let a revision count again.

        What was taken in since on top of what it takes the place of waits anew; where its own part
        was taken in since, it is no longer.
        """
        self.regained.setdefault(note.id, {})[note.revision] = note
        for later in list(self.past.counting(note.id).values()):
            if later.revision > note.revision and self._is_after(later, since):
                self._free(later)
        for id_ in self._resting_on(note.sources):
            for other in list(self.past.counting(id_).values()):
                if set(other.sources) & set(note.sources) and self._is_after(other, since):
                    self._free(other)

    def _is_after(self, note: Note, operation: Operation) -> bool:
        return self.past.number(note.operation) > operation.number

    def _drop_held(self) -> None:
        """Leave out what something else puts out of force as well; see `Undoing`.

        A part that comes back to a pattern that was taken apart meanwhile waits, as its others did.
        """
        back = [note for by_number in self.regained.values() for note in by_number.values()]
        super()._drop_held()
        for note in back:
            if note.revision not in self.regained[note.id] and self._is_taken_apart(note.id):
                self._freed.update((id_, None) for id_ in note.sources if id_ in self.shown)

    def _is_taken_apart(self, id_: str) -> bool:
        by = [each for each in self.past.hidden_by("note", id_) if self._will_stand(each)]
        return bool(by) and all(each.kind in APART for each in by)

    def _withhold(self) -> None:
        """Keep out of force what would stand on a part or on words that are out of force."""
        super()._withhold()
        for id_, by_number in self.regained.items():
            for number in sorted(by_number):
                if self._lacks_ground(id_, number):
                    note = by_number.pop(number)
                    self._freed.update(dict.fromkeys(note.sources))
                    self.lost.setdefault(id_, {})[number] = note
                    self._told.discard((id_, number))

    def _lacks_ground(self, id_: str, number: int) -> bool:
        """Whether the words that a revision carries on will not be said, or nothing founded it.

        Those are of the revisions that counted when it was written, whenever they were lost.
        """
        lost, states = self.lost.get(id_, {}), self.past.states(id_)
        left = (self.past.counting(id_).keys() - lost.keys()) | self.regained[id_].keys()
        written = self.past.number(states[number].note.operation)
        before = {n: each.note for n, each in states.items() if n < number}
        stood = {n: note for n, note in before.items() if self._stood(states[n], written)}
        return 1 not in left or any(
            n not in left and self._leads(note, stood) for n, note in stood.items()
        )

    def _stood(self, state: State, number: int) -> bool:
        """Whether a revision counted at a place of the log, or may have: it counts now."""
        by = state.undone_by
        return state.counts or by is None or self.past.number(by) > number
