"""`lamina forget`, `compact` and `verify-erasure`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from lamina.apps.cli.opening import opened, opened_kept, tenant
from lamina.apps.cli.options import Where, owned, standard_input, stored
from lamina.apps.cli.output import answer
from lamina.apps.cli.render.text import counted
from lamina.apps.cli.safely import FAILED
from lamina.errors import NotFound
from lamina.model import ScopeKind

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.apps.cli.opening import Held, Kept
    from lamina.memory.space import User
    from lamina.ports import Receipt

SHARED: tuple[ScopeKind, ...] = ("conversation", "space", "recommender", "pool")
"""Where a user may have a part."""
READ_MEANWHILE = "somebody still reads an older state of the file"


@click.command("forget")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--logical-only", is_flag=True, help="Leave the bytes in the file for `lamina compact`."
)
@owned
def forget_command(where: Where, yes: bool, logical_only: bool) -> None:
    """Erase all of a user, conversation, space, recommender or pool, for good.

    What was made of it is erased with it; of a user also what it wrote into shared spaces, said in
    conversations, did in recommenders and has in their pools; of a recommender also its pool. It
    cannot be undone. Of whom nothing is known, it does not ask; with --yes what is left of them in
    the file goes all the same.
    """
    with opened_kept(where, known=False) as handle:
        if not yes:
            click.confirm(_question(handle), abort=True, err=True)
        receipt = handle.forget(purge=not logical_only)

    def render() -> Iterable[RenderableType]:
        return _erased(receipt, read=not logical_only)

    answer(where.as_json, receipt.to_dict(), render)


@click.command("compact")
@stored
def compact_command(where: Where) -> None:
    """Overwrite what is left of erased memory in the file.

    Room that is not used is given back. It is not possible while somebody reads an older state;
    the exit code is then 1.
    """
    with opened(where) as memory:
        waited = memory.stats().counts["unpurged"]
        purged = memory.compact()
    gone = f"; the bytes of {counted(waited, 'erasure')} are gone" if waited else ""
    told = f"compacted{gone}" if purged else f"not now: {READ_MEANWHILE}; try again later"
    answer(where.as_json, {"purged": purged, "waited": waited}, lambda: [told])
    if not purged:
        click.get_current_context().exit(FAILED)


@click.command("verify-erasure")
@click.argument("texts", metavar="TEXT...", nargs=-1)
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Look for all messages of a file that was imported, with their speakers, times and ids.",
)
@owned
def verify_erasure_command(where: Where, texts: tuple[str, ...], file: Path | None) -> None:
    """Look in the store's files for what was erased.

    Each TEXT is looked for as it stands, by its words, and as vectors; - reads texts from standard
    input, one a line, so that the shell remembers none. Name whose they were, and that name is
    looked for too. If anything is found that nobody else uses, the exit code is 1.
    """
    looked = [*_texts(texts), *(_messages(file) if file else ())]
    if not looked:
        raise click.UsageError("there is nothing to look for; give a TEXT or a --file")
    with opened(where) as memory:
        found = tenant(memory, where).verify_erasure(
            looked,
            user=where.user,
            conversation=where.conversation,
            space=where.space,
            recommender=where.recommender,
            pool=where.pool,
        )

    def render() -> Iterable[RenderableType]:
        from lamina.apps.cli.render.figures import verification

        return verification(found)

    answer(where.as_json, found.to_dict(), render)
    if not found.clean:
        click.get_current_context().exit(FAILED)


def _question(handle: Kept) -> str:
    scope = handle.scope
    if scope.kind == "pool":
        return f"Erase all that the users of {scope.id} share for good?"
    counts = cast("Held", handle).stats().counts
    shared = _parts(cast("User", handle), counts) if scope.kind == "user" else ""
    count = counted(counts.get("messages", 0), "message")
    return f"Erase {scope.kind} {scope.id}, {count},{shared} for good?"


def _parts(user: User, counts: Mapping[str, int]) -> str:
    """Return in how much else a user has a part. Raises `NotFound` if nothing is known of them."""
    found = Counter(each.kind for each in user.parts())
    if not found and not any(counts.values()):
        raise NotFound(
            f"nothing is known of a user {user.scope.id!r} here; `lamina compact` overwrites what"
            " is left of anybody who was erased"
        )
    told = [counted(found[kind], kind) for kind in SHARED if found[kind]]
    return f" and what is theirs in {', '.join(told)}," if told else ""


def _erased(receipt: Receipt, *, read: bool) -> Iterable[RenderableType]:
    """Tell what went. `read`: if bytes are left, then because somebody reads."""
    stage = _stage(receipt, read=read)
    if not receipt.messages and not receipt.documents:
        yield f"nothing is stored under that name; what ever was: {stage}"
        return
    yield f"{_removed(receipt)} erased: {stage}"
    for part in receipt.parts:
        yield f"of that in {part.scope.kind} {part.scope.id}: {_removed(part)}"


def _stage(receipt: Receipt, *, read: bool) -> str:
    if receipt.stage == "physical":
        return "gone from the file"
    why = f"{READ_MEANWHILE}, so " if read else ""
    return f"gone; {why}traces stay in it until `lamina compact`"


def _removed(receipt: Receipt) -> str:
    return (
        f"{counted(receipt.messages, 'message')}, {counted(receipt.notes, 'note')}"
        f" and {counted(receipt.documents, 'document')}"
    )


def _messages(file: Path) -> list[dict[str, Any]]:
    """Return the messages of a file as they were given to `add` when it was imported."""
    from lamina.apps.cli.intake import said
    from lamina.formats import read

    turns = (turn for found in read(file) for turn in said(found.turns))
    return [{**turn.message, "session_id": turn.session} for turn in turns]


def _texts(given: tuple[str, ...]) -> list[str]:
    """Return what to look for, with the lines of standard input in place of -."""
    found: list[str] = []
    for text in given:
        if text == "-":
            lines = standard_input().decode("utf-8-sig", "replace").splitlines()
            found += [line for line in lines if line.strip()]
        else:
            found.append(text)
    return found
