import sys

import pytest

from lamina.adapters.llm import from_settings, providers
from lamina.adapters.llm.prices import Prices
from lamina.adapters.llm.provider_llm import ProviderLLM
from lamina.errors import MissingExtra, MissingKey, ModelUnavailable, UnknownProvider
from lamina.models.roles import name_of
from lamina.settings import ModelSettings, Price, Secret

pytest.importorskip("pydantic_ai", reason="needs: pip install 'lamina[models]'")

KEY = Secret("sk-test")


@pytest.mark.parametrize("model", ["cohere:x", "openai", "openai:", "", "OpenAI:x"])
def test_an_unknown_provider_is_one_line_that_lists_the_known_ones(model: str) -> None:
    with pytest.raises(UnknownProvider) as caught:
        ProviderLLM(model, key=KEY)

    assert "openai, anthropic, google, ollama" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai:gpt-5-mini", "OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("google:gemini-2.5-flash", "GEMINI_API_KEY"),
    ],
)
def test_a_missing_key_is_named_by_its_variable(model: str, variable: str) -> None:
    with pytest.raises(MissingKey, match=variable):
        ProviderLLM(model)


@pytest.mark.parametrize(
    ("model", "base_url"), [("ollama:qwen3", None), ("openai:any", "http://127.0.0.1:1/v1")]
)
def test_local_servers_need_no_key(model: str, base_url: str | None) -> None:
    with ProviderLLM(model, base_url=base_url) as llm:
        assert llm.model == model


def test_a_model_that_was_closed_says_so_and_can_be_closed_again() -> None:
    llm = ProviderLLM("ollama:qwen3")
    llm.close()
    llm.close()

    with pytest.raises(ModelUnavailable, match="closed"):
        llm.complete([])


def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(providers, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pip install 'lamina\[models\]'"):
        ProviderLLM("ollama:qwen3")


def test_a_missing_sdk_of_a_provider_is_named_likewise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai.models.anthropic", None)
    with pytest.raises(MissingExtra, match=r"pip install 'lamina\[models\]'"):
        providers.build("anthropic:claude-sonnet-4-5", None, KEY)


@pytest.mark.parametrize(
    ("model", "enforces", "temperature"),
    [
        ("openai:gpt-4.1-mini", True, True),
        ("openai:gpt-5-mini", True, False),
        ("anthropic:claude-sonnet-4-5", True, True),
        ("anthropic:claude-opus-4-7", True, False),
        ("anthropic:claude-new", False, True),
        ("google:gemini-2.5-flash", True, True),
        ("ollama:qwen3", True, True),
        ("ollama:gpt-oss:120b-cloud", False, True),
    ],
)
def test_what_a_model_takes_is_known_before_it_is_asked(
    model: str, enforces: bool, temperature: bool
) -> None:
    built = providers.build(model, None, KEY)

    assert providers.enforces_schema(built) is enforces
    assert providers.takes_temperature(built) is temperature


def test_a_listed_price_is_known_and_scales() -> None:
    prices = Prices("openai:gpt-4o-mini")

    assert prices.of(1_000_000, 0) == pytest.approx(0.15)
    assert prices.of(0, 1_000_000) == pytest.approx(0.60)


def test_a_price_that_is_set_counts_where_the_list_has_none() -> None:
    unlisted = Prices("openai:qwen", "http://127.0.0.1:1/v1")
    set_ = Prices("openai:qwen", "http://127.0.0.1:1/v1", Price(1.0, 2.0))

    assert unlisted.of(1000, 1000) is None
    assert set_.of(1_000_000, 500_000) == 2.0


def test_ones_own_machine_costs_nothing() -> None:
    assert Prices("ollama:qwen3").of(1000, 1000) == 0.0


def test_without_a_model_in_the_settings_there_is_none() -> None:
    assert from_settings(ModelSettings()) is None


def test_roles_share_a_model_of_the_same_name() -> None:
    roles = from_settings(
        ModelSettings(
            model="ollama:qwen3", judge="openai:gpt-5", answer="ollama:qwen3",
            provider_keys={"openai": KEY},
        )
    )  # fmt: skip
    assert roles is not None
    assert roles.get("memory") is roles.get("answer")
    judge = roles.get("judge")
    assert judge is not None
    assert name_of(judge) == "openai:gpt-5"
    roles.close()


def test_the_key_and_address_of_one_provider_are_never_given_to_another() -> None:
    settings = ModelSettings(
        model="openai:any", judge="anthropic:claude-sonnet-4-5",
        base_url="http://127.0.0.1:1/v1", api_key=KEY,
    )  # fmt: skip

    with pytest.raises(MissingKey, match="ANTHROPIC_API_KEY"):
        from_settings(settings)


def test_a_real_model_cannot_be_asked_by_accident() -> None:
    from lamina.ports import Request

    with ProviderLLM("ollama:qwen3") as llm, pytest.raises(pytest.fail.Exception):
        llm.complete([Request(role="memory", system="", prompt="Hello?")])
