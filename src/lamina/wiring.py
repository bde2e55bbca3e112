"""`open`: the one place that chooses adapters and puts the parts together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from lamina.errors import BadInput, EncoderMismatch
from lamina.memory import Memory
from lamina.model import Scope
from lamina.ports import LLM, Clock, Encoder, ModelRole, Store, Strategy
from lamina.settings import Settings
from lamina.work.engine import Engine, ScopedLLM, SystemClock

Tenancy = Literal["single", "multi"]
