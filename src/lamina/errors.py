"""Every error this library raises on purpose. The docstring is the message where none is given.

LaminaError
├── BadInput                 the call is wrong: nothing was read or written
│   ├── NaiveDatetime
│   ├── BadMessage
│   ├── FormatError          a file to import is not what it should be
│   └── SettingsError
├── NotFound                 no such thing in this scope, whatever other scopes hold
├── MissingExtra             an optional package is not installed
├── StoreError
│   ├── NotALaminaFile
│   ├── NewerFormat
│   ├── ReadOnlyStore
│   ├── StoreLocked          wait, then try again
│   ├── StoreFull
│   ├── StoreDamaged
│   ├── EncoderMismatch      the vectors were made by another encoder
│   ├── Conflict             what a step read has changed: redo what conflicts
│   ├── LeaseLost            another worker holds the scope now
│   └── StaleEpoch           the scope was erased meanwhile
├── EncoderError
│   ├── EncoderUnavailable   wait, then ask again
│   └── DataFileMissing
├── Leak                     an evaluation saw what it may not see, or wrote into memory
└── ModelError
    ├── NoModel              the call needs a language model and none is configured
    ├── UnknownProvider
    ├── MissingKey
    ├── BudgetExceeded
    ├── UnknownPrice
    ├── ModelUnavailable     wait, then ask again
    └── MalformedReply       the model answered, but not in the form that was asked for
"""

from __future__ import annotations


class LaminaError(Exception):
    """Something in Lamina failed."""

    def __str__(self) -> str:
        return super().__str__() or (self.__doc__ or "").strip()


class BadInput(LaminaError, ValueError):
    """The call is wrong; nothing was written."""


class NaiveDatetime(BadInput):
    """A datetime without a time zone is ambiguous; pass datetime(..., tzinfo=UTC)."""


class BadMessage(BadInput):
    """A message cannot be stored as given."""


class FormatError(BadInput):
    """A file to import is not in the format that was expected."""


class SettingsError(BadInput):
    """A setting has a value that it cannot have."""


class NotFound(LaminaError, LookupError):
    """There is no such thing here; `list` shows what there is."""


class MissingExtra(LaminaError, ImportError):
    """An optional package is not installed."""


class Leak(LaminaError):
    """A method under evaluation saw what it may not see, or wrote what it must not."""


class StoreError(LaminaError):
    """The store could not read or write."""


class NotALaminaFile(StoreError):
    """The file is not a Lamina store; choose another path."""


class NewerFormat(StoreError):
    """The store was written by a newer Lamina; upgrade with: pip install -U lamina."""


class ReadOnlyStore(StoreError):
    """The file or its folder cannot be written; check the permissions or choose another path."""


class StoreLocked(StoreError):
    """Another process kept the store locked for too long; try again."""


class StoreFull(StoreError):
    """The disk is full; nothing of this call was written. Free some space and try again."""


class StoreDamaged(StoreError):
    """The store is damaged; restore a backup."""


class EncoderMismatch(StoreError):
    """The store's vectors were made by another encoder; run `lamina reencode`."""


class Conflict(StoreError):
    """What this step read has changed since; nothing of it was written."""


class LeaseLost(StoreError):
    """Another worker has taken over this scope; nothing of this step was written."""


class StaleEpoch(StoreError):
    """The scope was erased while this call ran; nothing was written."""


class EncoderError(LaminaError):
    """The encoder failed."""


class EncoderUnavailable(EncoderError):
    """The embedding server did not answer; trying again later may help."""


class DataFileMissing(EncoderError):
    """A data file of the encoder is missing or damaged; reinstall with: pip install -U lamina."""


class ModelError(LaminaError):
    """A language model failed."""


class NoModel(ModelError):
    """No language model is configured; set LAMINA_MODEL, for example to ollama:qwen3."""


class UnknownProvider(ModelError):
    """There is no such provider of language models."""


class MissingKey(ModelError):
    """The provider needs a key and none is set."""


class BudgetExceeded(ModelError):
    """The budget for model calls is used up; raise it, or go on without a model."""


class UnknownPrice(ModelError):
    """A budget in money is set, but the price of this model is not known; set LAMINA_PRICE."""


class ModelUnavailable(ModelError):
    """The model did not answer; trying again later may help."""


class MalformedReply(ModelError):
    """The model answered, but not in the form that was asked for."""


def shown(value: object) -> str:
    """Return a value as an error tells it: of a text its beginning, of what is no text what it is.

    >>> shown("x" * 100), shown(10**5000)
    ("'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'…", 'a value of type int')
    """
    if isinstance(value, str):
        return f"{value[:40]!r}" if len(value) <= 40 else f"{value[:40]!r}…"
    if value is None or (isinstance(value, int | float) and abs(value) < 10**20):
        return repr(value)
    return f"a value of type {type(value).__name__}"
