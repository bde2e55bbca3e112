"""The documents of a state that is still one's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from lamina.adapters.in_memory.state import State
from lamina.errors import BadInput, EncoderMismatch
from lamina.ports import Document, EncoderSpace


@dataclass
class Index:
    """Adds documents to `state`, with vectors of `space`, and takes them out."""

    state: State
    space: EncoderSpace | None

    def add(self, document: Document) -> int:
        """Add a document with its vector and return its id.

        Raises:
            EncoderMismatch: No space has been declared.
            BadInput: The vector has not its dimension.
        """
        if self.space is None:
            raise EncoderMismatch("no encoder has been declared for this store yet")
        if document.vector.shape != (self.space.dim,):
            raise BadInput(f"a vector of shape {document.vector.shape}, not ({self.space.dim},)")
        self.state.last_document += 1
        id_ = self.state.last_document
        terms = {term: count for term, count in document.terms.items() if count > 0}
        self.state.documents[id_] = replace(document, terms=terms)
        self.state.vectors[self.space.id, id_] = document.vector.copy()
        return id_

    def show_message(self, document: Document, live: Collection[str]) -> None:
        """Add a document of a message in place of what the same view of it had.

        An exchange with a message that is not live any more stays, for reads of the past and for
        when that message is back.
        """
        replaced = [
            id_
            for id_, d in self.state.documents.items()
            if (d.view, d.ref) == (document.view, document.ref)
            and (d.previous is None or d.previous == document.previous or d.previous in live)
        ]
        self.drop(replaced)
        self.add(document)

    def show_note(self, document: Document, number: int) -> None:
        """Add a document of a revision, also for all others that show what it showed until now."""
        before = self.state.shown.get((document.ref, number))
        places = [
            place
            for place, id_ in self.state.shown.items()
            if id_ == before and place[0] == document.ref
        ] or [(document.ref, number)]
        if before is not None:
            self.drop([before])
        first = min(number for _, number in places)
        id_ = self.add(replace(document, revision=first))
        self.state.shown.update(dict.fromkeys(places, id_))

    def share(self, place: tuple[str, int], base: tuple[str, int]) -> None:
        """Let a revision without a document show that of another one, if there is one."""
        if base in self.state.shown:
            self.state.shown.setdefault(place, self.state.shown[base])

    def drop(self, ids: Iterable[int]) -> None:
        """Take documents out, with their vectors in every space."""
        gone = set(ids)
        if not gone:
            return
        for id_ in gone:
            del self.state.documents[id_]
        for place in [place for place in self.state.vectors if place[1] in gone]:
            del self.state.vectors[place]
        for shown in [place for place, id_ in self.state.shown.items() if id_ in gone]:
            del self.state.shown[shown]
