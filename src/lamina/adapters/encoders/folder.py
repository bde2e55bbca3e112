"""What a folder with a sentence encoder says about itself: files in the layout of the model hubs.

model.onnx or onnx/model.onnx    token ids in, a vector a token out
tokenizer.json                   a fast tokenizer
1_Pooling/config.json            how token vectors become one: mean, first (CLS) or last token
modules.json                     (optional) which steps follow the network
sentence_bert_config.json        (optional) max_seq_length
manifest.json                    (optional) id, languages, and the hashes of the files
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from lamina.errors import DataFileMissing, EncoderError

Pooling = Literal["mean", "cls", "lasttoken"]

SCHEME = 1
"""Raise it when the way from a folder to a vector changes: it is part of every id."""

POOLINGS: dict[str, Pooling] = {
    "pooling_mode_mean_tokens": "mean",
    # Divides the sum by another positive number than the mean does: the same unit row.
    "pooling_mode_mean_sqrt_len_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "lasttoken",
}
HONOURED_MODULES = ("Transformer", "Pooling", "Normalize")
CAUTIOUS_MAX_TOKENS = 256
"""Read at once where the folder does not say: no known encoder of sentences reads less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """A folder that can be honoured. Rows are normalised whether or not it asks for it."""

    path: Path
    graph: Path
    pooling: Pooling
    dim: int | None
    """None where only the graph knows."""
    max_tokens: int
    """With the special tokens."""
    manifest: dict[str, Any]
    """Empty where there is none."""

    @classmethod
    def read(cls, path: Path) -> ModelFolder:
        """Read the small files; no model is opened.

        Raises:
            DataFileMissing: A file is missing, or not as long as the manifest says.
            EncoderError: The folder asks for something that is not done here.
        """
        graph = next((g for g in _graphs(path) if g.is_file()), None)
        if graph is None:
            raise DataFileMissing(f"{path} has neither model.onnx nor onnx/model.onnx")
        for needed in ("tokenizer.json", "1_Pooling/config.json"):
            if not (path / needed).is_file():
                raise DataFileMissing(f"{path} has no {needed}")
        _refuse_what_is_not_done(path)
        pooling = _json(path / "1_Pooling" / "config.json")
        manifest = _json(path / "manifest.json")
        _check_lengths(path, manifest)
        return cls(
            path=path,
            graph=graph,
            pooling=_pooling(path, pooling),
            dim=pooling.get("word_embedding_dimension")
            or _json(path / "config.json").get("hidden_size"),
            max_tokens=_max_tokens(path),
            manifest=manifest,
        )

    def id(self) -> str:
        """Return what names the space: the manifest's id, else name, hash and scheme.

        Without a manifest every byte of the model is read, about a second a gigabyte.
        """
        if known := self.manifest.get("id"):
            return str(known)
        digest = hashlib.sha256()
        files = [*sorted(self.graph.parent.glob("*.onnx*")), self.path / "tokenizer.json"]
        for file in files:
            digest.update(_sha256(file).encode())
        digest.update(f"{self.pooling} {self.max_tokens}".encode())
        return f"{self.path.resolve().name}-{digest.hexdigest()[:12]}-{SCHEME}"

    def verify(self) -> None:
        """Compare every file with the manifest's hashes.

        Raises:
            DataFileMissing: A file is missing or damaged.
        """
        for name, file in self.manifest.get("files", {}).items():
            if _sha256(self.path / name) != file["sha256"]:
                raise DataFileMissing(f"{self.path / name} is damaged; {MEND}")


MEND = "reinstall with: pip install --force-reinstall --no-deps lamina"


def _graphs(path: Path) -> list[Path]:
    return [path / "model.onnx", path / "onnx" / "model.onnx"]


def _json(path: Path) -> dict[str, Any]:
    """Return the file's object, or an empty one where there is no file."""
    content = _content(path)
    if not isinstance(content, dict):
        raise EncoderError(f"{path} does not hold a JSON object")
    return content


def _content(path: Path) -> object:
    if not path.is_file():
        return {}
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise EncoderError(f"{path} is not JSON: {error}") from error


def _check_lengths(path: Path, manifest: dict[str, Any]) -> None:
    """Catch what a broken download or an unresolved pointer leaves, at no cost."""
    for name, file in manifest.get("files", {}).items():
        if not (path / name).is_file():
            raise DataFileMissing(f"{path / name} is missing; {MEND}")
        if (path / name).stat().st_size != file["bytes"]:
            raise DataFileMissing(f"{path / name} is damaged; {MEND}")


def _refuse_what_is_not_done(path: Path) -> None:
    modules = _content(path / "modules.json") or []
    if not isinstance(modules, list) or not all(isinstance(m, dict) for m in modules):
        raise EncoderError(f"{path / 'modules.json'} is not a list of modules")
    for module in modules:
        kind = str(module.get("type", "")).rpartition(".")[2]
        if kind not in HONOURED_MODULES:
            raise EncoderError(f"{path / 'modules.json'} asks for {kind}, which is not supported")
    if _json(path / "config_sentence_transformers.json").get("default_prompt_name"):
        raise EncoderError(f"{path} asks for a prompt before each text, which is not supported")
    if _json(path / "sentence_bert_config.json").get("do_lower_case"):
        raise EncoderError(f"{path} asks for do_lower_case, which is not supported")


def _pooling(path: Path, config: dict[str, Any]) -> Pooling:
    if isinstance(config.get("pooling_mode"), str):  # The newer way to say it.
        asked = [config["pooling_mode"]]
    else:
        asked = [key for key, on in config.items() if key.startswith("pooling_mode") and on is True]
    names = {POOLINGS.get(key, key) for key in asked}
    for pooling in POOLINGS.values():
        if names == {pooling}:
            return pooling
    told = " and ".join(sorted(names)) or "nothing"
    raise EncoderError(
        f"{path / '1_Pooling' / 'config.json'} asks for {told};"
        " supported is one of: mean tokens, CLS token, last token"
    )


def _max_tokens(path: Path) -> int:
    said = [
        _json(path / "sentence_bert_config.json").get("max_seq_length"),
        _json(path / "tokenizer_config.json").get("model_max_length"),
    ]
    # Tokenizers without a limit say 10^30.
    known = [int(n) for n in said if isinstance(n, int | float) and 2 < n < 1_000_000]
    return known[0] if known else CAUTIOUS_MAX_TOKENS


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
