import pytest

from lamina.adapters.encoders.onnx import MiniLM


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    """The default encoder, opened once."""
    return MiniLM()
