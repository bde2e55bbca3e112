"""Small logs whose items have kinds, and how pools are made of them."""

from dataclasses import replace

from lamina.evaluation.rec import drift
from lamina.evaluation.rec.graphs import bare
from lamina.evaluation.rec.keeping import Kept
from lamina.evaluation.rec.logs import Log
from lamina.evaluation.rec.pools import Making
from lamina.evaluation.rec.reading import logged
from lamina.evaluation.rec.sharing import Patterns
from lamina.items import Item
from lamina.ports.graph import Graph
from lamina.ranking.catalogue import Catalogue, words
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.testing import WordEncoder

SHAPE = drift.Shape(users=12, items=60, each=10, drifting=0.0)
LOG = logged(drift.drifting(SHAPE))


def items(log: Log = LOG) -> tuple[Item, ...]:
    told = log.catalogue
    each = zip(told.items, told.titles, told.categories, strict=True)
    return tuple(Item(id=id_, title=title, categories=kinds) for id_, title, kinds in each)


def making(log: Log = LOG, config: AMEM4RecConfig | None = None, **options: object) -> Making:
    return Making(
        log=log,
        items=items(log),
        encoder=Kept(WordEncoder()),
        config=config or AMEM4RecConfig(),
        **options,  # type: ignore[arg-type]
    )


def catalogue(log: Log = LOG) -> Catalogue:
    return Catalogue(described=tuple(words(item) for item in items(log)))


def graph(log: Log = LOG) -> Graph:
    return bare(log)


def patterns(made: Making | None = None, **options: object) -> Patterns:
    made = made or making()
    found = Patterns(
        name="amem4rec", making=made, graph=graph(made.log), catalogue=catalogue(made.log)
    )
    return replace(found, **options)  # type: ignore[arg-type]
