"""The notes that a batch of interactions reads and makes: as stored, and as the batch left them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lamina.model import Note, Scope
from lamina.ports import Store
from lamina.work.making import Making


class BatchNotes:
    """Every note by its id, at the place of each interaction; what is read and made is put down."""

    def __init__(self, store: Store, scope: Scope, makings: Sequence[Making]) -> None:
        """Begin with none.

        Args:
            store: Where notes are read.
            scope: The recommender.
            makings: What each interaction makes, by place; what is read and made is put down there.
        """
        self._store, self._scope, self._makings = store, scope, makings
        self._stored: dict[str, Note] = {}
        """Notes of the store that were read, by id."""
        self._made: dict[str, list[tuple[int, Note]]] = {}
        """By id: what interactions made of a note, with their places, ascending."""

    def read(self, ids: Iterable[str]) -> None:
        """Read notes of the store that were not read yet."""
        wanted = [id_ for id_ in dict.fromkeys(ids) if id_ not in self._stored]
        lacking = [id_ for id_ in wanted if id_ not in self._made]
        found = self._store.notes(self._scope, lacking) if lacking else []
        self._stored.update((note.id, note) for note in found)

    def is_made(self, id_: str) -> bool:
        """Whether an interaction of the batch wrote or changed a note."""
        return id_ in self._made

    def latest(self, id_: str) -> Note | None:
        """Return a note as the batch left it so far."""
        states = self._made.get(id_)
        return states[-1][1] if states else self._stored.get(id_)

    def at(self, place: int, id_: str) -> Note | None:
        """Return a note as it was when an interaction came, and log that it was handed out."""
        making = self._makings[place]
        stored = self._stored.get(id_)
        if stored:
            making.hand_out(stored.known_at)
        made = [state for state in self._made.get(id_, ()) if state[0] <= place]
        making.read.update(by for by, _ in made if by != place)
        return made[-1][1] if made else stored

    def base(self, place: int, id_: str) -> Note | None:
        """Return the note that an interaction may change; `None` if it comes too late."""
        states = self._made.get(id_, [])
        making = self._makings[place]
        if id_ in making.written or (states and states[-1][0] > place):
            return None
        added = bool(states) and states[0][1].revision == 1
        if added and states[0][1].id not in self._stored and self._is_known(id_):
            return None
        return self.latest(id_)

    def add(self, place: int, note: Note) -> None:
        """Let an interaction write a new note, which it then does not change."""
        self._makings[place].written[note.id] = note
        self._made[note.id] = [(place, note)]

    def begin(self, place: int, note: Note) -> None:
        """Let an interaction write a new note that it may still change."""
        self._makings[place].changed[note.id] = note
        self._made[note.id] = [(place, note)]

    def revise(self, place: int, base: Note, new: Note) -> None:
        """Let an interaction make a new revision of a note, or change the one that it made."""
        making, states = self._makings[place], self._made.setdefault(base.id, [])
        mine = making.changed.get(base.id)
        if mine is not None:
            parents = tuple(dict.fromkeys((*mine.parents, *new.parents)))
            new = replace(new, revision=mine.revision, parents=parents)
            states.pop()
        else:
            new = replace(new, revision=self._next(base.id, len(states)))
        making.changed[base.id] = new
        states.append((place, new))

    def _is_known(self, id_: str) -> bool:
        """Whether a note that is added was there before and is hidden: it will stay so."""
        return bool(self._store.revisions(self._scope, id_))

    def _next(self, id_: str, made: int) -> int:
        """Return the number of the next revision, as the store will expect it.

        The store numbers a revision after all that the note ever had, undone ones too.
        """
        stored = self._stored.get(id_)
        if stored is None or not made:
            return (stored.revision if stored else made) + 1
        had = self._store.revisions(self._scope, id_)
        return max((note.revision for note in had), default=0) + made + 1
