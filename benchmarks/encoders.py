"""Which form of the default encoder to ship: size, speed, fidelity, recall. Needs LAMINA_DATA.

Not part of `make bench`: it downloads upstream's weights. `python -m benchmarks encoders`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto
from safetensors.numpy import load
from scripts.build_encoder import Floats, Graph, model, upstream

from lamina.adapters.encoders.onnx import MINILM, OnnxEncoder
from lamina.evaluation import datasets, metrics
from lamina.formats.conversation import Turn

if TYPE_CHECKING:
    from lamina.model import Vectors

TURNS = 128
ROUNDS = 3
ALONE = 64
DATA = Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "locomo" / "locomo-dev.json"


class FullPrecision(Graph):
    """The same network with its matrices as they are."""

    def matrix(self, name: str, values: Floats) -> str:
        """Add shape (inputs, outputs)."""
        return self.constant(name, values)

    def rows(self, name: str, values: Floats, ids: str) -> str:
        """Look up the rows `ids`."""
        return self.node("Gather", [self.constant(name, values), ids])


@dataclass
class Row:
    """What was measured of one form."""

    folder: Path
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """By what was timed; one entry a round."""
    vectors: Vectors | None = None
    recall: float = 0.0
    moved: float = 0.0


def main() -> None:
    """Measure all forms side by side, round by round, so that all meet the same noise."""
    samples = datasets.read(DATA)
    turns = [_said(turn) for sample in samples for turn in sample.turns]
    with tempfile.TemporaryDirectory() as scratch:
        rows = {name: Row(folder) for name, folder in _forms(Path(scratch)).items()}
        for _ in range(ROUNDS):
            for row in rows.values():
                _time(row, turns[:TURNS])
        for row in rows.values():
            _judge(row, samples, turns)
        _print(rows, turns[:TURNS])


def _forms(scratch: Path) -> dict[str, Path]:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    weights = load(upstream()["model.safetensors"])
    full = _folder(scratch / "full", model(FullPrecision(weights)))
    dynamic = _folder(scratch / "dynamic", b"")
    quantize_dynamic(
        full / "model.onnx",
        dynamic / "model.onnx",
        per_channel=True,
        # Without VNNI the sum of two products of 8 bits overflows 16.
        reduce_range=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
    return {
        "full precision": full,
        "int8 multiplied out at load": _folder(scratch / "int8", model(Graph(weights))),
        "dynamic int8, one text a run": dynamic,
    }


def _folder(path: Path, graph: bytes) -> Path:
    shutil.copytree(MINILM, path, ignore=shutil.ignore_patterns("model.onnx", "manifest.json"))
    (path / "model.onnx").write_bytes(graph)
    return path


def _time(row: Row, turns: list[str]) -> None:
    exchanges = [f"{a}\n{b}" for a, b in pairwise(turns)]
    for threads in (1, 2):
        encoder = OnnxEncoder(row.folder, threads=threads)
        for name, texts in {"load": ["."], "turns": turns, "exchanges": exchanges}.items():
            began = time.perf_counter()
            encoder.encode(texts)
            taken = time.perf_counter() - began
            row.seconds.setdefault(f"{name} {threads}", []).append(taken)
    began = time.perf_counter()
    for text in turns[:ALONE]:
        encoder.encode([text])
    row.seconds.setdefault("one turn", []).append((time.perf_counter() - began) / ALONE)


def _judge(row: Row, samples: list[datasets.Sample], turns: list[str]) -> None:
    encoder = OnnxEncoder(row.folder, threads=2)
    row.vectors = encoder.encode(turns)
    alone = np.concatenate([encoder.encode([text]) for text in turns[:ALONE]])
    row.moved = float(np.abs(alone - row.vectors[:ALONE]).max())
    starts = np.cumsum([0, *(len(sample.turns) for sample in samples)])
    recalls = [
        _recalls(encoder, sample, row.vectors[start:end])
        for sample, (start, end) in zip(samples, pairwise(starts), strict=True)
    ]
    row.recall = float(np.concatenate(recalls).mean())


def _recalls(encoder: OnnxEncoder, sample: datasets.Sample, turns: Vectors) -> NDArray[np.float64]:
    """Return each question's share of evidence turns among the 10 most similar turns."""
    place = {turn.message["metadata"]["dia_id"]: i for i, turn in enumerate(sample.turns)}
    asked = [q for q in sample.questions if q.category in datasets.SCORED and q.evidence]
    scores = encoder.encode([question.text for question in asked]) @ turns.T
    gold = metrics.gold([[place[id_] for id_ in question.evidence] for question in asked])
    return metrics.recall_at(metrics.standing(scores, gold), 10)


def _said(turn: Turn) -> str:
    """Return a turn as it is indexed."""
    return f"{turn.message['speaker']}: {turn.message['content']}"


def _print(rows: dict[str, Row], turns: list[str]) -> None:
    tokens = OnnxEncoder(MINILM).count_tokens(turns)
    print(f"turns of {np.mean(tokens):.0f} tokens, exchanges of {2 * np.mean(tokens):.0f} (means)")
    print("| form | MB | load s | turns/s 1, 2 threads | exchanges/s 1, 2 threads |"
          " one turn ms | recall@10 | cosine min, median | moved by neighbours |")  # fmt: skip
    print("|" + " --- |" * 9)
    exact = rows["full precision"].vectors
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(_cells(row, exact, len(turns))) + " |")


def _cells(row: Row, exact: Any, count: int) -> list[str]:
    best = {name: min(seconds) for name, seconds in row.seconds.items()}
    cosines = np.sum(row.vectors * exact, axis=1)
    return [
        f"{(row.folder / 'model.onnx').stat().st_size / 1e6:.1f}",
        f"{min(best['load 1'], best['load 2']):.2f}",
        ", ".join(f"{count / best[f'turns {threads}']:.0f}" for threads in (1, 2)),
        ", ".join(f"{(count - 1) / best[f'exchanges {threads}']:.0f}" for threads in (1, 2)),
        f"{best['one turn'] * 1000:.1f}",
        f"{row.recall:.3f}",
        f"{cosines.min():.4f}, {np.median(cosines):.4f}",
        f"{row.moved:.0e}",
    ]


if __name__ == "__main__":
    main()
