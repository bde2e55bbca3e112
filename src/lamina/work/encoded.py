"""Vectors of texts that come again and again, such as what is selected of windows."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from lamina.ports import Encoder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lamina.model import Vectors

MOST = 8192
"""Texts of one encoder whose vectors are kept."""


class _Kept:
    """The vectors of one encoder, those asked for last."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()


_kept: WeakKeyDictionary[Encoder, _Kept] = WeakKeyDictionary()


def encode(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """Return shape (len(texts), dim), unit rows; what is not kept is encoded in one call.

    Raises:
        EncoderUnavailable: The encoder runs on a server that did not answer.
    """
    kept = _kept.setdefault(encoder, _Kept())
    with kept.lock:
        known = {text: kept.vectors[text] for text in set(texts) if text in kept.vectors}
    lacking = [text for text in dict.fromkeys(texts) if text not in known]
    if lacking:
        made = np.asarray(encoder.encode(lacking), np.float32)
        known.update(zip(lacking, made, strict=True))
    with kept.lock:
        for text in dict.fromkeys(texts):
            kept.vectors[text] = known[text]
            kept.vectors.move_to_end(text)
        while len(kept.vectors) > MOST:
            kept.vectors.popitem(last=False)
    rows = [known[text] for text in texts]
    return np.stack(rows) if rows else np.zeros((0, encoder.space.dim), np.float32)
