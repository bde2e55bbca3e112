"""`lamina search`, `context`, `ask` and `timeline`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, get_args

import click

from lamina.apps.cli.opening import opened_part, settings
from lamina.apps.cli.options import KINDS, Where, dated, scoped, text_argument
from lamina.apps.cli.output import answer, plain
from lamina.model import Variant

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.memory import Answer
    from lamina.model import Hit

SEARCHED = (*KINDS, "user_note", "item_note")
NOTHING = "nothing here matters to that"


@click.command("search")
@text_argument("query")
@click.option("--top-k", type=click.IntRange(1), default=10, show_default=True, help="How many.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(SEARCHED), help="Only these kinds."
)
@click.option(
    "--variant",
    type=click.Choice(get_args(Variant)),
    help="How much of the structure is used. Default: LAMINA_VARIANT, else full.",
)
@click.option("--explain", is_flag=True, help="Show each signal's share, and the whole event.")
@click.option("--superseded", is_flag=True, help="Also what something else took the place of.")
@dated()
@scoped
def search_command(  # noqa: PLR0913  what may be asked for, each by its name
    where: Where,
    query: str,
    top_k: int,
    kinds: tuple[str, ...],
    variant: Variant | None,
    explain: bool,
    superseded: bool,
    looking: dict[str, str],
) -> None:
    """Find what matters to a query, with its evidence.

    Time words in it ("last March", "上个月") prefer what is of that time. What has been superseded
    gives its place to what took its place.
    """
    with opened_part(where) as handle:
        hits = handle.search(
            query,
            top_k=top_k,
            kinds=kinds or None,
            variant=variant or settings().variant,
            explain=explain,
            superseded=superseded,
            **looking,
        )
    answer(
        where.as_json,
        {"query": query, "hits": [hit.to_dict() for hit in hits]},
        lambda: _hits(hits, explain),
    )


@click.command("context")
@text_argument("query")
@click.option(
    "--max-tokens", type=click.IntRange(1), default=800, show_default=True, help="Its length."
)
@dated()
@scoped
def context_command(where: Where, query: str, max_tokens: int, looking: dict[str, str]) -> None:
    """Print a block of memories for a prompt: what matters and fits.

    Its lines are numbered, dated and attributed, and it is marked, so that it is not remembered
    again when it comes back inside a message.
    """
    with opened_part(where) as handle:
        block = handle.context(query, max_tokens=max_tokens, **looking)
    if where.as_json:
        answer(True, {"query": query, "context": block}, tuple)
    else:
        plain(block)


@click.command("ask")
@text_argument("question")
@click.option(
    "--max-tokens",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="How much of the memory the model is shown.",
)
@dated()
@scoped
def ask_command(where: Where, question: str, max_tokens: int, looking: dict[str, str]) -> None:
    """Answer a question from memory, with a language model.

    The evidence that the answer rests on is shown with it.
    """
    with opened_part(where) as handle:
        found = handle.ask(question, max_tokens=max_tokens, **looking)
    answer(where.as_json, {"question": question, **found.to_dict()}, lambda: _answer(found))


@click.command("timeline")
@text_argument("topic")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many.")
@dated()
@scoped
def timeline_command(where: Where, topic: str, limit: int, looking: dict[str, str]) -> None:
    """Tell the story of a topic, oldest first.

    Who mentioned it first, what came later, how it hangs together, and until when it held.
    """
    with opened_part(where) as handle:
        moments = handle.timeline(topic, limit=limit, **looking)

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.story import timeline_table

        return [timeline_table(moments)] if moments else [NOTHING]

    answer(where.as_json, {"topic": topic, "moments": [m.to_dict() for m in moments]}, render)


def _hits(hits: list[Hit], explain: bool) -> Iterable[RenderableType]:
    from lamina.apps.cli.render.hits import hits_table

    return [hits_table(hits, explain=explain)] if hits else [NOTHING]


def _answer(found: Answer) -> Iterable[RenderableType]:
    from lamina.apps.cli.render.hits import hits_table
    from lamina.apps.cli.render.table import literal

    yield literal(found.text)
    if found.cited:
        yield hits_table(found.cited)
