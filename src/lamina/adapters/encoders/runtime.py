"""One opened model: a tokenizer and an ONNX session, and how its token vectors are pooled."""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lamina.adapters.encoders.folder import ModelFolder, Pooling
from lamina.adapters.encoders.vectors import encodable
from lamina.adapters.encoders.windows import spread
from lamina.errors import EncoderError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

KNOWN_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
SCALED_BY_BATCH = b"DynamicQuantizeLinear"
"""This operator scales by the largest value in the batch: neighbours would move a vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """A model in memory. Its methods may be called from several threads at once."""

    tokenizer: Tokenizer
    session: InferenceSession
    output: str
    dim: int
    pooling: Pooling
    pad: int
    specials: int
    """How many special tokens each window carries."""
    alone: bool
    """Whether texts must be run one at a time, lest they move each other's vectors."""

    @classmethod
    def open(cls, folder: ModelFolder) -> Runtime:
        """Open the model.

        Raises:
            EncoderError: It is damaged, or of a kind that is not supported.
        """
        tokenizer, pad = _tokenizer(folder)
        session = _session(folder.graph)
        output, dim = _token_vectors(session, folder)
        return cls(
            tokenizer=tokenizer,
            session=session,
            output=output,
            dim=dim,
            pooling=folder.pooling,
            pad=pad,
            specials=tokenizer.num_special_tokens_to_add(is_pair=False),
            alone=_mentions(folder.graph, SCALED_BY_BATCH),
        )

    def windows(self, text: str) -> list[list[int]]:
        """Return the text's token ids in windows that the model can read, 1 to `MAX_WINDOWS`."""
        encoding = self.tokenizer.encode(encodable(text))
        parts = spread([encoding, *encoding.overflowing])
        return [part.ids or [self.pad] for part in parts]

    def count(self, text: str) -> int:
        """Return how many tokens the text has, special ones left out."""
        encoding = self.tokenizer.encode(encodable(text), add_special_tokens=False)
        return sum(len(part.ids) for part in (encoding, *encoding.overflowing))

    def pooled(self, windows: Sequence[list[int]]) -> NDArray[np.float32]:
        """Run one batch: shape (len(windows), dim), not yet of unit length."""
        lengths = np.array([len(ids) for ids in windows])
        mask = np.arange(lengths.max()) < lengths[:, None]
        ids = np.full(mask.shape, self.pad, np.int64)
        ids[mask] = np.concatenate(windows)
        hidden = self._run(ids, mask.astype(np.int64))  # (windows, tokens, dim)
        if self.pooling != "mean":
            taken = 0 if self.pooling == "cls" else lengths - 1
            chosen: NDArray[np.float32] = hidden[np.arange(len(windows)), taken]
            return chosen
        means: NDArray[np.float32] = np.einsum("wtd,wt->wd", hidden, mask / lengths[:, None])
        return means.astype(np.float32, copy=False)

    def _run(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        wanted = {given.name: inputs[given.name] for given in self.session.get_inputs()}
        hidden: NDArray[np.float32] = self.session.run([self.output], wanted)[0]
        return hidden.astype(np.float32, copy=False)


@contextmanager
def _opening(path: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # Both libraries raise nothing narrower.
        reason = str(error).strip().partition("\n")[0]
        raise EncoderError(f"{path} cannot be opened: {reason}") from error


def _tokenizer(folder: ModelFolder) -> tuple[Tokenizer, int]:
    """Return the tokenizer and the id that it pads with."""
    from tokenizers import Tokenizer

    path = folder.path / "tokenizer.json"
    with _opening(path):
        tokenizer = Tokenizer.from_file(str(path))
    known = (tokenizer.token_to_id(token) for token in ("[PAD]", "<pad>"))
    pad = (tokenizer.padding or {}).get("pad_id") or next((id_ for id_ in known if id_), 0)
    tokenizer.no_padding()
    tokenizer.enable_truncation(folder.max_tokens)  # What is cut off comes as further windows.
    return tokenizer, pad


def _session(graph: Path) -> InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # One thread a run: several runs at once use the cores better, and nothing spins in between.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # Errors are raised; the rest is noise on stderr.
    with _opening(graph):
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _token_vectors(session: InferenceSession, folder: ModelFolder) -> tuple[str, int]:
    """Return the name and width of the output with a vector a token."""
    if unknown := {given.name for given in session.get_inputs()} - KNOWN_INPUTS:
        raise EncoderError(f"{folder.graph} wants inputs not supported: {', '.join(unknown)}")
    for output in session.get_outputs():
        if len(output.shape) == 3:
            width = output.shape[2] if isinstance(output.shape[2], int) else folder.dim
            if width is None or width != (folder.dim or width):
                raise EncoderError(
                    f"{folder.graph} gives {output.shape[2]} dimensions a token,"
                    f" but 1_Pooling/config.json says {folder.dim}"
                )
            return output.name, width
    raise EncoderError(f"{folder.graph} has no output of shape (batch, tokens, dimensions)")


def _mentions(graph: Path, operator: bytes) -> bool:
    with graph.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(operator) >= 0
