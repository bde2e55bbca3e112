from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lamina.adapters.encoders.onnx import OnnxEncoder
from lamina.errors import DataFileMissing, EncoderError
from tests.adapters.encoders import tiny_model

if TYPE_CHECKING:
    from lamina.model import Vectors

CLS, SEP, NORTH, EAST, WEST = tiny_model.TABLE[2:]
TEXT = "north north east"


def unit(row: Vectors) -> Vectors:
    scaled: Vectors = row / np.linalg.norm(row)
    return scaled


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ("mean", CLS + NORTH + NORTH + EAST + SEP),
        ("cls", CLS),
        ("lasttoken", SEP),
        ({"pooling_mode": "mean"}, CLS + NORTH + NORTH + EAST + SEP),
        ({"pooling_mode": "lasttoken"}, SEP),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, CLS + NORTH + NORTH + EAST + SEP),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, CLS),
    ],
)
def test_the_folders_pooling_is_honoured(
    tmp_path: Path, pooling: object, expected: Vectors
) -> None:
    encoder = OnnxEncoder(tiny_model.write(tmp_path / "m", pooling=pooling))

    # A shorter neighbour, so that the row is padded: padding must not take part.
    _, row = encoder.encode(["east", TEXT])

    np.testing.assert_allclose(row, unit(expected), atol=1e-6)


@pytest.mark.parametrize("normalize", [True, False])
def test_rows_have_unit_length_whether_or_not_the_folder_asks(
    tmp_path: Path, normalize: bool
) -> None:
    folder = tiny_model.write(tmp_path / "m")
    kinds = ["Transformer", "Pooling", *["Normalize"] * normalize]
    modules = [{"type": f"sentence_transformers.models.{kind}"} for kind in kinds]
    tiny_model.put(folder, "modules.json", modules)

    assert np.linalg.norm(OnnxEncoder(folder).encode([TEXT])) == pytest.approx(1.0, abs=1e-6)


def test_texts_are_split_where_the_folder_says(tmp_path: Path) -> None:
    encoder = OnnxEncoder(tiny_model.write(tmp_path / "m", pooling="cls"))
    means = OnnxEncoder(tiny_model.write(tmp_path / "n"))

    assert encoder.space.max_tokens == 6  # Four words, and the special tokens around them.
    assert encoder.count_tokens(["north " * 9]) == [9]
    windows = means.encode(["north north north north", "east east"])
    whole = means.encode(["north north north north east east"])
    np.testing.assert_allclose(whole[0], unit(4 * windows[0] + 2 * windows[1]), atol=1e-6)


def test_a_graph_in_a_subfolder_is_found(tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "m")
    expected = OnnxEncoder(folder).encode([TEXT])
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")

    assert np.array_equal(OnnxEncoder(folder).encode([TEXT]), expected)


def test_token_types_are_given_to_a_graph_that_wants_them(tmp_path: Path) -> None:
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    folder = tiny_model.write(tmp_path / "m", graph=tiny_model.network(inputs=inputs))

    assert OnnxEncoder(folder).encode([TEXT]).shape == (1, 2)


def test_a_model_that_scales_by_its_batch_is_run_one_text_at_a_time(tmp_path: Path) -> None:
    graph = tiny_model.network(scaled_by_batch=True)
    encoder = OnnxEncoder(tiny_model.write(tmp_path / "m", graph=graph))

    alone = encoder.encode(["north"])[0]

    # Beside "west" the zero point of a shared scale would be another.
    assert np.array_equal(encoder.encode(["north", "west east"])[0], alone)


def test_the_id_follows_every_part_that_moves_a_vector(tmp_path: Path) -> None:
    first = OnnxEncoder(tiny_model.write(tmp_path / "m")).space
    pooled = OnnxEncoder(tiny_model.write(tmp_path / "n", pooling="cls")).space
    graph = tiny_model.network(scaled_by_batch=True)
    other = OnnxEncoder(tiny_model.write(tmp_path / "o", graph=graph)).space

    assert first.dim == 2
    assert first.languages == frozenset()
    assert first.id.startswith("m-")
    hashes = {space.id.split("-")[1] for space in (first, pooled, other)}
    assert len(hashes) == 3


def test_the_id_is_the_same_wherever_the_folder_is(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    here, there = (tiny_model.write(p / "m") for p in (tmp_path, tmp_path / "elsewhere"))

    assert OnnxEncoder(here).space == OnnxEncoder(there).space


def test_languages_may_be_declared(tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "m")

    assert OnnxEncoder(folder, languages=frozenset({"fr"})).space.languages == {"fr"}


def test_blank_text_has_a_vector(tmp_path: Path) -> None:
    encoder = OnnxEncoder(tiny_model.write(tmp_path / "m"))

    np.testing.assert_allclose(encoder.encode([""])[0], unit(CLS + SEP), atol=1e-6)


REFUSED: list[tuple[str, object, str]] = [
    ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "asks for pooling_mode_max"),
    (
        "1_Pooling/config.json",
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        "asks for cls and mean",
    ),
    ("1_Pooling/config.json", {}, "asks for nothing"),
    ("1_Pooling/config.json", [], "does not hold a JSON object"),
    ("modules.json", [{"type": "sentence_transformers.models.Dense"}], "asks for Dense"),
    ("modules.json", {"type": "x"}, "is not a list of modules"),
    ("config_sentence_transformers.json", {"default_prompt_name": "query"}, "asks for a prompt"),
    ("sentence_bert_config.json", {"do_lower_case": True}, "asks for do_lower_case"),
]


@pytest.mark.parametrize(("name", "content", "words"), REFUSED)
def test_what_cannot_be_honoured_is_refused_at_once(
    tmp_path: Path, name: str, content: object, words: str
) -> None:
    folder = tiny_model.write(tmp_path / "m")
    tiny_model.put(folder, name, content)

    with pytest.raises(EncoderError, match=words):
        OnnxEncoder(folder)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "1_Pooling/config.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = tiny_model.write(tmp_path / "m")
    (folder / name).unlink()

    with pytest.raises(DataFileMissing, match=name):
        OnnxEncoder(folder)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"not what it should be", b"{}"])
def test_a_damaged_file_is_named_when_the_model_is_opened(
    tmp_path: Path, name: str, content: bytes
) -> None:
    folder = tiny_model.write(tmp_path / "m")
    (folder / name).write_bytes(content)

    with pytest.raises(EncoderError, match=f"{name} cannot be opened") as caught:
        OnnxEncoder(folder).encode(["north"])

    assert "\n" not in str(caught.value)


def test_settings_that_are_no_json_are_named(tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "m")
    (folder / "modules.json").write_text("[")

    with pytest.raises(EncoderError, match=r"modules\.json is not JSON"):
        OnnxEncoder(folder)


def test_a_graph_with_inputs_that_nobody_gives_is_refused(tmp_path: Path) -> None:
    graph = tiny_model.network(inputs=("input_ids", "pixel_values"))
    folder = tiny_model.write(tmp_path / "m", graph=graph)

    with pytest.raises(EncoderError, match="wants inputs not supported: pixel_values"):
        OnnxEncoder(folder).encode(["north"])


def test_a_graph_of_another_width_than_the_folder_says_is_refused(tmp_path: Path) -> None:
    pooling = {"word_embedding_dimension": 3, "pooling_mode_mean_tokens": True}
    folder = tiny_model.write(tmp_path / "m", pooling=pooling)

    with pytest.raises(EncoderError, match="gives 2 dimensions a token"):
        OnnxEncoder(folder).encode(["north"])
