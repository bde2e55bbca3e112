"""Whose notes may serve whom, when notes are formed and when they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lamina.ports import Graph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def visible(
    graph: Graph, configuration: Mapping[str, Any], groups: Mapping[str, str], user: str
) -> NDArray[np.bool_] | None:
    """Return whose notes may serve a user; items' notes serve everybody.

    Args:
        graph: All of the recommender.
        configuration: What it keeps to, see `Store.configuration`.
        groups: User to group, of those that are in one.
        user: For whom something is formed or ranked.

    Returns:
        Shape (users,), by `graph.users`; `None`: everybody's.
    """
    return None


def metadata_only(graph: Graph, configuration: Mapping[str, Any], item: int) -> bool:
    """Whether an item's note may tell only what the item's description says.

    Args:
        graph: All of the recommender.
        configuration: What it keeps to.
        item: Index into `graph.items`.
    """
    return False
