"""From a name to an encoder."""

from __future__ import annotations

from pathlib import Path

from lamina.errors import BadInput
from lamina.ports import Encoder
from lamina.settings import Secret

SERVER = "openai:"
KNOWN = (
    "minilm (the default), multilingual, the path of a folder with a model,"
    " or openai:MODEL for a server"
)


def open_encoder(
    name: str = "minilm", *, url: str | None = None, key: Secret | None = None, threads: int = 1
) -> Encoder:
    """Return the encoder of this name. Nothing is downloaded, and no model is opened yet.

    Args:
        name: `minilm`, `multilingual`, the path of a folder with a model, or `openai:MODEL`.
        url: Address, with its /v1, of a server that answers like OpenAI's; `name` is then the
            server's name for the model, with or without `openai:`.
        key: The server's key.
        threads: Batches that an ONNX model runs at once.

    Raises:
        BadInput: There is no such encoder; the message lists what there is.
        EncoderError: The folder cannot be used.
        MissingExtra: It needs a package that is not installed.
        MissingKey: OpenAI's own server needs a key.
    """
    if url is not None or name.startswith(SERVER):
        from lamina.adapters.encoders.openai import OpenAIEncoder

        return OpenAIEncoder(name.removeprefix(SERVER), url=url, key=key)
    if name == "minilm":
        from lamina.adapters.encoders.onnx import MiniLM

        return MiniLM(threads=threads)
    if name == "multilingual":
        from lamina.adapters.encoders.multilingual import Multilingual

        return Multilingual()
    folder = Path(name).expanduser()
    if not name or not folder.is_dir():
        raise BadInput(f"there is no encoder {name!r}; there are: {KNOWN}")
    from lamina.adapters.encoders.onnx import OnnxEncoder

    return OnnxEncoder(folder, threads=threads)
