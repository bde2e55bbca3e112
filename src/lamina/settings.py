"""Everything that can be set, in one frozen value, read once at the edge.

The environment goes before the TOML file, and that before the defaults written here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, get_type_hints

from lamina.errors import SettingsError
from lamina.model import Value, Variant

FILE = "lamina.toml"
"""Read from the current folder if it is there, and LAMINA_CONFIG names no other."""
CONFIG = "LAMINA_CONFIG"
PROVIDER_KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "openai": ("OPENAI_API_KEY",),
        "anthropic": ("ANTHROPIC_API_KEY",),
        "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "ollama": (),
    }
)
"""The known providers of language models, and the variables that hold their keys."""


class Secret(Value):
    """A key. It shows itself to nobody but `reveal`."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key itself. Only adapters call this."""
        return self._value

    def to_dict(self) -> dict[str, Any]:
        """Return that there is a key, and no more."""
        return {"hidden": True}

    def __repr__(self) -> str:
        return "Secret(***)"

    def __reduce__(self) -> str:
        raise TypeError("a secret is not to be written anywhere")

    def __deepcopy__(self, memo: object) -> Secret:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)


@dataclass(frozen=True, slots=True)
class Price(Value):
    """What a model costs, in USD per million tokens."""

    input: float
    output: float


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text that is not empty")
    return value.strip()


def _secret(value: Any) -> Secret:
    key = _text(value).strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ValueError("one word of plain letters, digits and signs")
    return Secret(key)


def _model(value: Any) -> str:
    provider, _, name = _text(value).partition(":")
    if not provider or not name:
        raise ValueError("PROVIDER:NAME, for example ollama:qwen3 or openai:gpt-5-mini")
    return f"{provider}:{name}"


def _url(value: Any) -> str:
    url = _text(value)
    if not url.startswith(("http://", "https://")):
        raise ValueError("an address that begins with http:// or https://")
    return url


def _number(value: Any) -> float:
    """Read a number above 0; TOML gives numbers, the environment text."""
    try:
        number = float(value) if not isinstance(value, bool) else 0.0
    except (TypeError, ValueError):
        number = 0.0
    if not 0.0 < number < float("inf"):
        raise ValueError("a number above 0")
    return number


def _whole(value: Any) -> int:
    try:
        number = int(value) if not isinstance(value, bool | float) else 0
    except (TypeError, ValueError):
        number = 0
    if number < 1:
        raise ValueError("a whole number, at least 1")
    return number


def _flag(value: Any) -> bool:
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    said = words.get(str(value).strip().lower())
    if said is None:
        raise ValueError("true or false")
    return said


def _price(value: Any) -> Price:
    wanted = "INPUT,OUTPUT in USD per million tokens, for example 0.15,0.60"
    parts = value.split(",") if isinstance(value, str) else value
    try:
        prices = [float(part) for part in parts]
    except (TypeError, ValueError) as error:
        raise ValueError(wanted) from error
    if len(prices) != 2 or not all(0.0 <= price < float("inf") for price in prices):
        raise ValueError(wanted)
    return Price(prices[0], prices[1])


def _one_of(*names: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in names:
            raise ValueError("one of " + ", ".join(names))
        return str(value)

    return read


@dataclass(frozen=True, slots=True)
class Variable:
    """Marks a field as a setting: the variable that sets it, and how its value is read."""

    name: str
    read: Callable[[Any], Any]
    """From the environment's text or TOML's value. Raises `ValueError` saying what it may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSettings(Value):
    """Which encoder makes the vectors."""

    name: Annotated[str, Variable("LAMINA_ENCODER", _text)] = "minilm"
    """`minilm`, `multilingual`, the path of a folder with a model, or the server's name of one."""
    url: Annotated[str | None, Variable("LAMINA_ENCODER_URL", _url)] = None
    """Base address of an OpenAI-compatible embedding server, with its /v1."""
    key: Annotated[Secret | None, Variable("LAMINA_ENCODER_KEY", _secret)] = None
    """Key for that server, if it wants one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings(Value):
    """Which language models are asked, and how."""

    model: Annotated[str | None, Variable("LAMINA_MODEL", _model)] = None
    """PROVIDER:NAME for every role that has no model of its own. Without it no model is asked."""
    memory: Annotated[str | None, Variable("LAMINA_MODEL_MEMORY", _model)] = None
    """The model that forms memory."""
    answer: Annotated[str | None, Variable("LAMINA_MODEL_ANSWER", _model)] = None
    """The model that answers questions."""
    judge: Annotated[str | None, Variable("LAMINA_MODEL_JUDGE", _model)] = None
    """The model that judges answers in an evaluation."""
    rank: Annotated[str | None, Variable("LAMINA_MODEL_RANK", _model)] = None
    """The model that ranks candidates."""
    base_url: Annotated[str | None, Variable("LAMINA_BASE_URL", _url)] = None
    """Address of the server, for the provider of `model`; openai:NAME with it means any
    OpenAI-compatible server."""
    api_key: Annotated[Secret | None, Variable("LAMINA_API_KEY", _secret)] = None
    """Key for the provider of `model`; without it the provider's own variable counts, such as
    OPENAI_API_KEY."""
    price: Annotated[Price | None, Variable("LAMINA_PRICE", _price)] = None
    """INPUT,OUTPUT in USD per million tokens, where the price list lacks the model."""
    concurrency: Annotated[int, Variable("LAMINA_CONCURRENCY", _whole)] = 8
    """How many requests run at once."""
    timeout: Annotated[float, Variable("LAMINA_TIMEOUT", _number)] = 60.0
    """Seconds that one try of a request may take."""
    cache: Annotated[bool, Variable("LAMINA_CACHE", _flag)] = True
    """Whether replies are kept, so that nothing is paid twice."""
    provider_keys: Mapping[str, Secret] = field(default_factory=dict)
    """Provider to the key found in its own variable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget(Value):
    """What model calls may take, from opening a store to closing it. Unset is unlimited."""

    usd: Annotated[float | None, Variable("LAMINA_BUDGET_USD", _number)] = None
    """Money, in USD. A model whose price is unknown is then refused."""
    calls: Annotated[int | None, Variable("LAMINA_BUDGET_CALLS", _whole)] = None
    """Number of calls."""
    tokens: Annotated[int | None, Variable("LAMINA_BUDGET_TOKENS", _whole)] = None
    """Input and output tokens together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Value):
    """All settings. Construct it, or `read` it from the environment and a file."""

    db: Annotated[str, Variable("LAMINA_DB", _text)] = "memory.db"
    """The store: a path, or :memory:."""
    strategy: Annotated[str, Variable("LAMINA_STRATEGY", _one_of("structmem"))] = "structmem"
    """How memory is formed."""
    variant: Annotated[Variant, Variable("LAMINA_VARIANT", _one_of("full", "events", "flat"))] = (
        "full"
    )
    """How much of the structure is formed, and what a search on the command line looks through."""
    recency: Annotated[float | None, Variable("LAMINA_RECENCY", _number)] = None
    """The weight in ranking of how recent something is; unset, its age does not count."""
    half_life_days: Annotated[float, Variable("LAMINA_HALF_LIFE_DAYS", _number)] = 30.0
    """Days after which recency counts half."""
    data: Annotated[str, Variable("LAMINA_DATA", _text)] = "../shared/data"
    """The folder with evaluation data."""
    encoder: EncoderSettings = EncoderSettings()
    """Table `encoder`."""
    models: ModelSettings = ModelSettings()
    """Table `models`."""
    budget: Budget = Budget()
    """Table `budget`."""

    @classmethod
    def read(cls, environ: Mapping[str, str], path: str | Path | None = None) -> Settings:
        """Read the settings.

        Args:
            environ: Usually `os.environ`. An empty variable counts as unset.
            path: A TOML file; without it the one that LAMINA_CONFIG names, else `lamina.toml` in
                the current folder if there is one.

        Raises:
            SettingsError: A value is wrong, a key unknown, or a named file cannot be read.
        """
        table = _file(environ, path)
        tables = {name: table.pop(name, {}) for name in _TABLES}
        return cls(
            **_values(cls, "", table, environ),
            encoder=EncoderSettings(
                **_values(EncoderSettings, "encoder", tables["encoder"], environ)
            ),
            models=ModelSettings(
                **_values(ModelSettings, "models", tables["models"], environ),
                provider_keys=_provider_keys(environ),
            ),
            budget=Budget(**_values(Budget, "budget", tables["budget"], environ)),
        )


_TABLES: Mapping[str, type[Value]] = {
    "encoder": EncoderSettings,
    "models": ModelSettings,
    "budget": Budget,
}


def _file(environ: Mapping[str, str], path: str | Path | None) -> dict[str, Any]:
    named = path or environ.get(CONFIG) or None
    if named is None and not Path(FILE).is_file():
        return {}
    file = Path(named or FILE)
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise SettingsError(f"settings file {file}: {reason}; see {CONFIG}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"settings file {file} is not TOML: {error}") from error


def _declared(group: type[Value]) -> dict[str, Variable]:
    """Return the fields of `group` that are settings, in order of declaration."""
    hints = get_type_hints(group, include_extras=True)
    return {
        name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")
    }


def _values(
    group: type[Value], table_name: str, table: Any, environ: Mapping[str, str]
) -> dict[str, Any]:
    """Return the values of one group that are set, the environment's before the file's."""
    if not isinstance(table, dict):
        raise SettingsError(f"{table_name} in the settings file is a table: write [{table_name}]")
    declared = _declared(group)
    for key in table:
        if key not in declared:
            raise SettingsError(_unknown(table_name, key, [*declared]))
    found = {}
    for name, variable in declared.items():
        if environ.get(variable.name, "").strip():
            found[name] = _read(variable.name, variable.read, environ[variable.name])
        elif name in table:
            place = f"{_dotted(table_name, name)} in the settings file"
            found[name] = _read(place, variable.read, table[name])
    return found


def _dotted(table_name: str, name: str) -> str:
    return f"{table_name}.{name}" if table_name else name


def _read(place: str, read: Callable[[Any], Any], value: Any) -> Any:
    try:
        return read(value)
    except ValueError as error:
        shown = "" if read is _secret else f", not {str(value)[:60]!r}"
        raise SettingsError(f"{place} must be {error}{shown}") from error


def _unknown(table_name: str, key: str, known: list[str]) -> str:
    from difflib import get_close_matches

    names = known if table_name else [*known, *_TABLES]
    close = get_close_matches(key, names, n=1)
    hint = f"did you mean {close[0]}?" if close else "it knows " + ", ".join(names)
    place = f"[{table_name}] in the settings file" if table_name else "the settings file"
    return f"{place} has an unknown key {key[:60]!r}; {hint}"


def _provider_keys(environ: Mapping[str, str]) -> dict[str, Secret]:
    return {
        provider: Secret(key)
        for provider, variables in PROVIDER_KEYS.items()
        if (key := next((v for name in variables if (v := environ.get(name, "").strip())), None))
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Documented(Value):
    """A setting, for the table in the docs."""

    variable: str
    toml: str
    """Dotted key in the TOML file."""
    default: str
    description: str


def documented() -> list[Documented]:
    """Return every setting in order of declaration, described by its docstring."""
    groups: dict[str, type[Value]] = {"": Settings, **_TABLES}
    return [
        Documented(
            variable=variable.name,
            toml=_dotted(table_name, name),
            default=_shown(getattr(group(), name)),
            description=described[name],
        )
        for table_name, group in groups.items()
        if (described := _docstrings(group))
        for name, variable in _declared(group).items()
    ]


def _shown(default: Any) -> str:
    if default is None:
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def _docstrings(group: type[Value]) -> dict[str, str]:
    """Return the docstring under each field; Python keeps them in the source only."""
    import ast
    import inspect

    [definition] = ast.parse(inspect.getsource(group)).body
    assert isinstance(definition, ast.ClassDef)
    described, name = {}, ""
    for part in definition.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            name = part.target.id
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) and name:
            described[name] = " ".join(str(part.value.value).split())
    return described
