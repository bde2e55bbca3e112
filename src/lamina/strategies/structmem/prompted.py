"""StructMem with a language model."""

from __future__ import annotations

from lamina.model import Changes
from lamina.ports import Batch, StepView
from lamina.strategies.structmem.binding import bind
from lamina.strategies.structmem.config import StructMemConfig
from lamina.strategies.structmem.synthesis import consolidate, join


class Prompted:
    """Forms memory by asking the view's model. A reply that cannot be used loses nothing."""

    name = "structmem"

    def __init__(self, config: StructMemConfig | None = None) -> None:
        self._config = config or StructMemConfig()

    def digest(self, batch: Batch, view: StepView) -> Changes:
        """Return what a `bind`, `consolidate` or `sweep` step wants written.

        Raises:
            NoModel: The view has no model, and there is something to read.
        """
        if batch.step.kind == "bind":
            return bind(batch, view, self._config)
        if batch.step.kind == "sweep":
            return join(batch, view, self._config)
        return consolidate(batch, view, self._config)
