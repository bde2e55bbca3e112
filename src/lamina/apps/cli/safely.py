"""Whatever goes wrong ends in one line that says what to do, and an exit code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from typing import Any, NoReturn

import click

from lamina.errors import BadInput, LaminaError, NotFound

FAILED, WRONG_CALL, INTERRUPTED, NO_READER = 1, 2, 130, 141


@dataclass(frozen=True, slots=True)
class Failure:
    """What to tell, and how to exit."""

    kind: str
    message: str
    code: int

    def told(self, as_json: bool) -> str:
        """Return one line: for people, or for machines as `{"error": {...}}`."""
        if as_json:
            told = {"kind": self.kind, "message": self.message, "exit_code": self.code}
            return json.dumps({"error": told})
        return f"lamina: {self.message}"


class Safely(click.Command):
    """A command whose `main` never shows a traceback, unless LAMINA_DEBUG is set."""

    def main(self, args: Sequence[str] | None = None, **extra: Any) -> NoReturn:  # type: ignore[override]
        """Run, then exit."""
        given = list(sys.argv[1:] if args is None else args)
        _write_anything()
        try:
            code = super().main(given, **{**extra, "standalone_mode": False})
        except Exception as error:  # The edge: here every error becomes a line.
            if os.environ.get("LAMINA_DEBUG"):
                raise
            code = _tell(failure(error), "--json" in given)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command; that nobody reads its output any more is no failure to tell."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(NO_READER)
        return result


def failure(error: Exception) -> Failure:
    """Return what to tell of an error."""
    code = WRONG_CALL if isinstance(error, BadInput | NotFound) else FAILED
    if isinstance(error, LaminaError):
        message = str(error)
    elif isinstance(error, click.Abort):
        return _stopped(error)
    elif isinstance(error, click.ClickException):
        message, code = _called_wrongly(error), error.exit_code
    elif isinstance(error, OSError) and error.strerror:
        message = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    else:
        message = (
            f"this should not have happened ({type(error).__name__}: {error});"
            " to see where, set LAMINA_DEBUG=1"
        )
    return Failure(type(error).__name__, " ".join(message.split()), code)


def _called_wrongly(error: click.ClickException) -> str:
    message = error.format_message().rstrip(".?")
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{message}; see: {context.command_path} --help" if context else message


def _stopped(error: click.Abort) -> Failure:
    if isinstance(error.__cause__, KeyboardInterrupt):
        return Failure("Interrupted", "interrupted; each finished step is kept", INTERRUPTED)
    return Failure("Aborted", "stopped; nothing was changed", FAILED)


def _tell(found: Failure, as_json: bool) -> int:
    click.echo(found.told(as_json), err=True)
    return found.code


def _write_anything() -> None:
    """Let text that the terminal cannot show be written as escapes, not fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
