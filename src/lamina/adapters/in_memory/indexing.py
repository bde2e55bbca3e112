"""The documents of a state that is still one's own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from lamina.adapters.in_memory.state import State
from lamina.errors import BadInput, EncoderMismatch
from lamina.model import View
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
        self.state.vectors.setdefault(self.space.id, {})[id_] = document.vector.copy()
        return id_

    def show_message(self, document: Document, live: Collection[str]) -> None:
        """Add a document of a message in place of what the same view of it had.

        An exchange with a message that is not live any more stays, for reads of the past and for
        when that message is back.
        """
        shown = self._showing[document.view, document.ref]
        replaced = [
            id_
            for id_ in shown
            if _gives_way(self.state.documents[id_].previous, document.previous, live)
        ]
        self.drop(replaced)
        shown[:] = [*(id_ for id_ in shown if id_ not in replaced), self.add(document)]

    @cached_property
    def _showing(self) -> dict[tuple[View, str], list[int]]:
        """The documents of messages by what they show, as far as this index has written."""
        showing = defaultdict(list)
        for id_, document in self.state.documents.items():
            showing[document.view, document.ref].append(id_)
        return showing

    def show_note(self, document: Document, number: int) -> None:
        """Add a document of a revision, also for all others that show what it showed until now."""
        before = self.state.shown.get((document.ref, number))
        places = [(document.ref, number)]
        if before is not None:
            places = [
                place
                for place, id_ in self.state.shown.items()
                if (place[0], id_) == (document.ref, before)
            ]
            self.drop([before])
        id_ = self.add(replace(document, revision=min(n for _, n in places)))
        self.state.shown.update(dict.fromkeys(places, id_))

    def share(self, place: tuple[str, int], base: tuple[str, int]) -> None:
        """Let a revision without a document show that of another one, if there is one."""
        if base in self.state.shown:
            self.state.shown.setdefault(place, self.state.shown[base])

    def drop(self, ids: Iterable[int]) -> None:
        """Take documents out, with their vectors in every space."""
        for id_ in ids:
            del self.state.documents[id_]
            for held in self.state.vectors.values():
                held.pop(id_, None)


def _gives_way(previous: str | None, new: str | None, live: Collection[str]) -> bool:
    """Whether a document with one message before its own is replaced by one with another."""
    return previous is None or previous == new or previous in live
