"""What a recommender keeps to: kept in the store, so that it holds for all who open it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, get_args

from lamina.errors import BadInput
from lamina.items import Privacy
from lamina.memory.write import whole
from lamina.model import Scope, Value
from lamina.ports import Store
from lamina.work.engine import Engine
from lamina.work.visibility import K

ALL = "all"
"""In place of names of metadata: all are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration(Value):
    """What a recommender keeps to."""

    privacy: Privacy = "open"
    """Whose notes may serve others: everybody's; those of the same group; nobody's."""
    k: int = K
    """How many users must support what serves all under `group` and `silo`."""
    keep_text: bool = True
    """Whether what users say of items is kept, or dropped before it is stored."""
    keep_fields: tuple[str, ...] | None = None
    """Which metadata of interactions are kept; `None`: all."""
    keep_days: int = 0
    """For how many days interactions are kept; 0: for ever."""


def configured(store: Store, scope: Scope) -> Configuration:
    """Return what a recommender keeps to."""
    kept = store.configuration(scope)
    fields = kept.get("keep_fields")
    return Configuration(**{**kept, "keep_fields": None if fields is None else tuple(fields)})


def configure(engine: Engine, scope: Scope, given: Mapping[str, Any]) -> Configuration:
    """Change what is given and not `None`; return all of it.

    Raises:
        BadInput: A value is none that it may have; nothing was changed.
    """
    checked = {what: _checked(what, value) for what, value in given.items() if value is not None}
    kept = {**asdict(configured(engine.store, scope)), **checked}
    engine.store.configure(scope, kept)
    return Configuration(**kept)


def _checked(what: str, value: object) -> object:
    if what == "privacy":
        if value not in get_args(Privacy):
            raise BadInput(f"privacy must be one of {', '.join(get_args(Privacy))}, not {value!r}")
        return value
    if what == "keep_fields":
        if value == ALL:
            return None
        fields = tuple(value) if isinstance(value, list | tuple | set | frozenset) else (None,)
        if not all(isinstance(field, str) for field in fields):
            raise BadInput(f"keep_fields must be a list of names, or {ALL!r}")
        return fields
    if what == "keep_text":
        if not isinstance(value, bool):
            raise BadInput(f"keep_text must be true or false, not {value!r}")
        return value
    return whole(what, value, least=0 if what == "keep_days" else 1)
