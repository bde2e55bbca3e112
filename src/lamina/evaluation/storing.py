"""A store for one run: LoCoMo conversations in a file that is gone afterwards."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lamina.evaluation.datasets import Sample
from lamina.evaluation.progress import Told
from lamina.evaluation.reports import Cost
from lamina.memory import Memory
from lamina.model import Scope
from lamina.ports import LLM, Encoder
from lamina.settings import Settings
from lamina.wiring import open as open_memory
from lamina.work.engine import Engine

"""Progress: what is being done, how much of it is done, how much is known of so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What a run works with."""

    memory: Memory
    engine: Engine
    scopes: Sequence[Scope]
    """One a sample, in order."""
    cost: Cost
    """Of forming the memory."""
    unfinished: tuple[str, ...]
    """Why steps are to be tried again, if some failed."""


@contextmanager
def stored(
    samples: Sequence[Sample],
    told: Told,
    *,
    encoder: Encoder | str | None,
    llm: LLM | None,
    settings: Settings,
) -> Iterator[Stored]:
    """Import conversations as anybody would, form memory from them, and yield it all.

    Raises:
        EncoderError: The encoder cannot be used.
        ModelError: A model is configured that cannot be used.
    """
    with tempfile.TemporaryDirectory(prefix="lamina-eval-") as folder:
        path = Path(folder) / "locomo.db"
        with open_memory(path, encoder=encoder, llm=llm, settings=settings) as memory:
            began = time.perf_counter()
            scopes = [_import(memory, sample) for sample in _counted(samples, told)]
            done = memory.process(progress=lambda *far: told("forming memory", *far))
            yield Stored(
                memory=memory,
                # The verbs return hits; what is measured here are the signals behind them.
                engine=memory._engine,
                scopes=scopes,
                cost=_cost(memory, samples, time.perf_counter() - began),
                unfinished=done.failed,
            )


def _counted(samples: Sequence[Sample], told: Told) -> Iterator[Sample]:
    for done, sample in enumerate(samples):
        told("importing", done, len(samples))
        yield sample


def _import(memory: Memory, sample: Sample) -> Scope:
    handle = memory.conversation(sample.name)
    handle.add([{**turn.message, "session_id": turn.session} for turn in sample.turns])
    for session in handle.sessions():
        handle.close_session(session.id)
    return handle.scope


def _cost(memory: Memory, samples: Sequence[Sample], seconds: float) -> Cost:
    usage = memory.stats().usage
    return Cost(
        calls=usage.calls,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        turns=sum(len(sample.turns) for sample in samples),
        seconds=seconds,
    )
