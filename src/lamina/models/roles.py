"""Which model answers in which role."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from lamina.errors import ModelError
from lamina.ports import LLM, Failure, ModelRole, Reply, Request


@runtime_checkable
class Named(Protocol):
    """A model that tells its name. The adapters' models do, and so do our wrappers."""

    model: str
    """PROVIDER:NAME."""


@runtime_checkable
class Priced(LLM, Protocol):
    """A model that tells its price beforehand. The adapters' models do."""

    def cost_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return what so many tokens cost in USD; `None` where the price is unknown."""
        ...


@runtime_checkable
class Closable(Protocol):
    """A model that holds connections."""

    def close(self) -> None:
        """Let go of them. Closing again changes nothing."""
        ...


def answered(llm: LLM, requests: Sequence[Request]) -> list[Reply | Failure]:
    """Ask a model, which may be anybody's.

    Raises:
        ModelError: It did not return one reply or failure for each request.
    """
    answers = llm.complete(requests)
    if (
        not isinstance(answers, list)
        or len(answers) != len(requests)
        or not all(isinstance(answer, Reply | Failure) for answer in answers)
    ):
        raise ModelError(
            f"{name_of(llm)} must return a list with one Reply or Failure for each request"
        )
    return answers


class Roles:
    """The models of the four roles."""

    def __init__(
        self, default: LLM | None = None, own: Mapping[ModelRole, LLM] | None = None
    ) -> None:
        """Take the models.

        Args:
            default: Answers in every role that has none of its own.
            own: The models of single roles.
        """
        self._default = default
        self._own = dict(own or {})

    def get(self, role: ModelRole) -> LLM | None:
        """Return the model of a role; `None` if there is none."""
        return self._own.get(role, self._default)

    def all(self) -> Sequence[LLM]:
        """Return every model once."""
        models = [self._default, *self._own.values()]
        return list({id(llm): llm for llm in models if llm is not None}.values())

    def wrapped(self, wrap: Callable[[LLM], LLM]) -> Roles:
        """Return the same roles with each model wrapped once."""
        wrapped = {id(llm): wrap(llm) for llm in self.all()}
        return Roles(
            None if self._default is None else wrapped[id(self._default)],
            {role: wrapped[id(llm)] for role, llm in self._own.items()},
        )

    def close(self) -> None:
        """Close every model that can be closed."""
        for llm in self.all():
            if isinstance(llm, Closable):
                llm.close()


def name_of(llm: LLM) -> str:
    """Return the name that records and digests bear; one that tells none goes by its class."""
    return llm.model if isinstance(llm, Named) else type(llm).__name__
