"""AtomRec without a language model: it selects and counts, and invents nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lamina.recall.analysis import terms
from lamina.strategies.atomrec import agreement, extractive_reading, wording, words
from lamina.strategies.atomrec.catalogue import Catalogue
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.stages import (
    Candidate,
    Click,
    Evolution,
    Evolving,
    Fields,
    Linking,
    Reading,
    Reflecting,
    Reflection,
    Relation,
    Scored,
    Synthesis,
    Taste,
    Written,
)
from lamina.times import to_micros

MOST_KEYWORDS = 8
KEYWORDS_OF_TITLE = 3
"""How many keywords, where there is a title and no more to choose from."""
MOST_TAGS = 8
TAG = "tag"
"""The action whose words say what an item is, and not how it was for somebody."""


class Extractive:
    """All stages, by selecting; see `Stages`. Deterministic, in any language, and free."""

    name = "atomrec-extractive"
    asks = False
    model = None

    def __init__(
        self, config: AtomRecConfig | None = None, catalogue: Catalogue | None = None
    ) -> None:
        """Take how the method works.

        Args:
            config: Its parameters.
            catalogue: What words tell among the items that are described.
        """
        self._config = config or AtomRecConfig()
        self._catalogue = catalogue or Catalogue()

    def write(self, clicks: Sequence[Click]) -> list[Written]:
        """See `Stages.write`."""
        return [Written(user=self._user(each), item=self._item(each)) for each in clicks]

    def _user(self, click: Click) -> Fields:
        item, said = click.item, click.interaction
        return Fields(
            content=wording.done(click),
            keywords=self._keywords(click, said.text, item.title or item.id, item.description),
            tags=words.joined(item.categories, item.tags, most=MOST_TAGS),
            context=wording.context(click),
        )

    def _item(self, click: Click) -> Fields | None:
        if not click.new_item:
            return None
        item = click.item
        heard = click.interaction.text if click.interaction.action == TAG else ""
        heard = "" if click.metadata_only else heard
        return Fields(
            content=wording.described(item),
            keywords=self._keywords(click, heard, item.title or item.id, item.description),
            tags=words.joined(item.categories, item.tags, most=MOST_TAGS),
        )

    def _keywords(self, click: Click, said: str, title: str, description: str) -> tuple[str, ...]:
        text = "\n".join(part for part in (said, title, description) if part.strip())
        most = MOST_KEYWORDS if said.strip() or description.strip() else KEYWORDS_OF_TITLE
        return words.keywords(text, self._catalogue, to_micros(click.interaction.at), most)

    def link(self, asked: Sequence[Linking]) -> list[tuple[Relation, ...]]:
        """See `Stages.link`: the nearest, if they share a keyword or tag."""
        return [tuple(self._links(each)) for each in asked]

    def _links(self, asked: Linking) -> list[Relation]:
        if self._config.links == "none":
            return []
        ours = _words(asked.new.fields)
        found: list[Relation] = []
        for card in asked.near:
            if len(found) == self._config.most_links:
                break
            shared = _shared(ours, card.fields)
            if shared or self._config.links == "embedding":
                found.append(Relation(target=card.id, relation=wording.sharing(shared)))
        return found

    def evolve(self, asked: Sequence[Evolving]) -> list[Evolution | None]:
        """See `Stages.evolve`: a note gains what most of the others agree on."""
        return [agreement.gained(each, self._teller(each)) for each in asked]

    def _teller(self, asked: Evolving) -> Callable[[str], bool]:
        """Return what tells whether a word tells something, by what was known by then.

        A word that no description has is somebody's own: no other note gains it.
        """
        by = to_micros(asked.new.at)
        weight = self._catalogue.weight
        least = agreement.telling(self._catalogue.size(by))
        unheard = weight("", by)

        def tells(word: str) -> bool:
            return any(least <= weight(term, by) < unheard for term in terms(word))

        return tells

    def reflect(self, asked: Sequence[Reflecting]) -> list[Reflection | None]:
        """See `Stages.reflect`: without a model a profile is worked out when it is read."""
        return [None for _ in asked]

    def synthesise(self, reading: Reading) -> Synthesis:
        """See `Stages.synthesise`."""
        return extractive_reading.synthesise(reading, self._config)

    def taste(self, reading: Reading, synthesis: Synthesis | None) -> Taste:
        """See `Stages.taste`."""
        return extractive_reading.taste(reading, synthesis, self._config)

    def score(
        self,
        reading: Reading,
        synthesis: Synthesis | None,
        taste: Taste | None,
        candidates: Sequence[Candidate],
    ) -> Scored:
        """See `Stages.score`."""
        return extractive_reading.score(reading, synthesis, taste, candidates)


def _words(fields: Fields) -> dict[str, str]:
    """Return tags and keywords as they are written, by how they are compared."""
    return {word.casefold(): word for word in (*fields.keywords[::-1], *fields.tags[::-1])}


def _shared(ours: dict[str, str], old: Fields) -> list[str]:
    """Return the tags and keywords of the new note that the old one has, too, tags first."""
    theirs = words.folded((*old.tags, *old.keywords))
    return [word for folded, word in reversed(ours.items()) if folded in theirs]
