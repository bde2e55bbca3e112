import random
import shutil
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from lamina.adapters.encoders.onnx import MINILM, MiniLM, OnnxEncoder
from lamina.adapters.encoders.windows import MAX_WINDOWS
from lamina.errors import DataFileMissing

SHORT = [
    "Yes.",
    "I moved to Oslo last week.",
    "my sister's cat is called Miso, she is two",
    "How was the concert?",
    "我喜欢在北京喝咖啡",
    "😀 👩‍👩‍👧 naïve café — \u202eright to left",
    "",
]
LONG = ["On that day we walked from the harbour to the hills. " * n for n in (6, 18, 40)]


def test_the_committed_data_is_what_its_manifest_says(minilm: MiniLM) -> None:
    minilm.verify()


def test_a_changed_byte_is_found_by_its_hash(tmp_path: Path) -> None:
    folder = _copy(tmp_path)
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_bytes(tokenizer.read_bytes().replace(b"[MASK]", b"[MUSK]"))

    encoder = OnnxEncoder(folder)  # As long as before, so that opening cannot tell.

    with pytest.raises(DataFileMissing, match=r"tokenizer\.json is damaged; reinstall with"):
        encoder.verify()


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_told_in_one_line_with_the_mend(tmp_path: Path, name: str) -> None:
    folder = _copy(tmp_path)
    (folder / name).unlink()

    with pytest.raises(DataFileMissing, match=name) as caught:
        OnnxEncoder(folder)

    assert "\n" not in str(caught.value)


def test_a_file_cut_short_is_told_before_anything_is_opened(tmp_path: Path) -> None:
    folder = _copy(tmp_path)
    (folder / "model.onnx").unlink()
    (folder / "model.onnx").write_bytes(b"version 1 of a pointer to a large file")

    with pytest.raises(DataFileMissing, match=r"model\.onnx is damaged; reinstall with"):
        OnnxEncoder(folder)


def test_the_space_names_the_upstream_weights() -> None:
    space = MiniLM().space

    assert space.id == "minilm-53aa51172d14-1"
    assert (space.dim, space.max_tokens, space.languages) == (384, 256, frozenset({"en"}))


def test_rows_are_float32_and_of_unit_length(minilm: MiniLM) -> None:
    vectors = minilm.encode(SHORT)

    assert vectors.shape == (len(SHORT), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_no_texts_give_no_rows(minilm: MiniLM) -> None:
    assert minilm.encode([]).shape == (0, 384)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_vector_depends_on_its_text_alone(minilm: MiniLM, threads: int) -> None:
    texts = [*SHORT * 3, *LONG, *LONG, *SHORT[:5]]
    random.Random(threads).shuffle(texts)
    alone = {text: minilm.encode([text])[0] for text in SHORT + LONG}

    together = MiniLM(threads=threads).encode(texts)

    assert len(texts) == 32
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_allclose(vector, alone[text], atol=1e-5)


def test_what_is_alike_is_near(minilm: MiniLM) -> None:
    question, near, far = minilm.encode(
        ["Where does she live?", "She has an apartment in Oslo.", "The soup needs more salt."]
    )

    assert question @ near > question @ far + 0.2


def test_a_long_text_is_the_mean_of_its_windows_by_tokens(minilm: MiniLM) -> None:
    first, second = "harbour " * 254, "mountain " * 127
    windows = minilm.encode([first, second])

    [whole] = minilm.encode([first + second])

    mean = windows[0] * 254 + windows[1] * 127
    np.testing.assert_allclose(whole, mean / np.linalg.norm(mean), atol=1e-5)
    assert minilm.count_tokens([first + second]) == [381]


def test_the_end_of_a_long_text_counts(minilm: MiniLM) -> None:
    walk = "We walked along the river. " * 60
    plain, ended = minilm.encode([walk, walk + "Then she told me about the divorce. " * 20])
    [topic] = minilm.encode(["a divorce"])

    assert topic @ ended > topic @ plain + 0.1


def test_a_text_of_a_hundred_thousand_tokens_takes_little_memory(minilm: MiniLM) -> None:
    text = "word " * 100_000
    minilm.encode(["warm up"])
    tracemalloc.start()

    vector = minilm.encode([text])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-6)
    assert peak < 100e6
    assert minilm.count_tokens([text]) == [100_000]
    assert MAX_WINDOWS * minilm.space.max_tokens < 100_000


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\0", "\ud800", "a\udfffb", "\u200b", "{}%s`'"])
def test_odd_text_has_a_vector_the_same_each_time(minilm: MiniLM, text: str) -> None:
    first, second = minilm.encode([text]), minilm.encode([text])

    assert np.linalg.norm(first) == pytest.approx(1.0, abs=1e-6)
    assert np.array_equal(first, second)


def test_a_surrogate_pair_is_the_character_it_stands_for(minilm: MiniLM) -> None:
    apart, joined = minilm.encode(["caf\u00e9 \ud83d\ude00", "caf\u00e9 😀"])

    assert np.array_equal(apart, joined)


def test_special_tokens_are_not_counted(minilm: MiniLM) -> None:
    assert minilm.count_tokens(["", "hello", "hello world"]) == [0, 1, 2]


def test_several_threads_may_open_and_use_one_encoder() -> None:
    encoder = MiniLM()
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda _: encoder.encode(SHORT), range(8)))

    assert all(np.array_equal(rows[0], other) for other in rows)


def test_constructing_loads_no_runtime() -> None:
    code = (
        "import sys; from lamina.adapters.encoders import open_encoder; open_encoder().space;"
        "sys.exit(bool({'onnxruntime', 'tokenizers'} & sys.modules.keys()))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def _copy(tmp_path: Path) -> Path:
    """Copy the small files of the folder, and link to the large one."""
    folder = tmp_path / "minilm"
    shutil.copytree(MINILM, folder, ignore=shutil.ignore_patterns("model.onnx"))
    (folder / "model.onnx").symlink_to(MINILM / "model.onnx")
    return folder
