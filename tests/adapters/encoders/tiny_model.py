"""A folder with a network of one table: what pooling does to it can be told by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "north", "east", "west"]
TABLE: NDArray[np.float32] = np.array(
    [[9, 9], [5, 5], [1, 1], [3, -1], [0, 2], [4, 0], [-4, 0]], np.float32
)
"""Each word's vector, by its id."""


def write(path: Path, *, pooling: object = "mean", graph: bytes | None = None) -> Path:
    """Write the folder; without `graph`, that of `network`."""
    modes = {"mean": "mean_tokens", "cls": "cls_token", "lasttoken": "lasttoken"}
    mode = modes.get(str(pooling))
    config = {f"pooling_mode_{mode}": True} if mode else pooling
    path.mkdir()
    put(path, "1_Pooling/config.json", config)
    put(path, "sentence_bert_config.json", {"max_seq_length": 6})
    put(path, "tokenizer.json", tokenizer())
    (path / "model.onnx").write_bytes(graph or network())
    return path


def put(path: Path, name: str, content: object) -> None:
    """Write one JSON file."""
    (path / name).parent.mkdir(exist_ok=True)
    (path / name).write_text(json.dumps(content))


def tokenizer() -> object:
    """Words at blanks, between [CLS] and [SEP]."""
    ids = {word: index for index, word in enumerate(WORDS)}
    around = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ]
    specials = {
        word: {"id": word, "ids": [ids[word]], "tokens": [word]} for word in ("[CLS]", "[SEP]")
    }
    return {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": around,
            "pair": around,
            "special_tokens": specials,
        },
        "model": {"type": "WordLevel", "vocab": ids, "unk_token": "[UNK]"},
    }


def network(
    *, inputs: tuple[str, ...] = ("input_ids", "attention_mask"), scaled_by_batch: bool = False
) -> bytes:
    """Look each token up in `TABLE`; if `scaled_by_batch`, rounded as dynamic int8 does."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["found"])]
    if scaled_by_batch:
        parts = ["rounded", "scale", "zero"]
        nodes.append(helper.make_node("DynamicQuantizeLinear", ["found"], parts))
        nodes.append(helper.make_node("DequantizeLinear", parts, ["last_hidden_state"]))
    else:
        nodes.append(helper.make_node("Identity", ["found"], ["last_hidden_state"]))
    axes = ["batch", "tokens"]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, axes) for name in inputs],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*axes, 2])],
        [numpy_helper.from_array(TABLE, "table")],
    )
    opset = [helper.make_opsetid("", 17)]
    content: bytes = helper.make_model(graph, opset_imports=opset, ir_version=8).SerializeToString()
    return content
