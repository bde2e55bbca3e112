import copy
import dataclasses
import json
import pickle
from pathlib import Path

import pytest

from lamina.errors import SettingsError
from lamina.settings import Budget, Price, Secret, Settings, documented

KEY = "sk-do-not-show"


def test_without_anything_set_the_defaults_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert Settings.read({}) == Settings()


def test_the_environment_goes_before_the_file_and_the_file_before_the_default(
    tmp_path: Path,
) -> None:
    file = tmp_path / "s.toml"
    file.write_text('db = "file.db"\n[models]\nmodel = "ollama:qwen3"\nconcurrency = 2\n')

    settings = Settings.read({"LAMINA_DB": "env.db", "LAMINA_MODEL": ""}, file)

    assert settings.db == "env.db"
    assert settings.models.model == "ollama:qwen3"
    assert settings.models.concurrency == 2
    assert settings.models.timeout == 60.0


def test_the_file_is_the_one_named_or_lamina_toml_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lamina.toml").write_text('db = "here.db"\n')
    Path("other.toml").write_text('db = "other.db"\n')

    assert Settings.read({}).db == "here.db"
    assert Settings.read({"LAMINA_CONFIG": "other.toml"}).db == "other.db"
    assert Settings.read({"LAMINA_CONFIG": "other.toml"}, "lamina.toml").db == "here.db"


def test_every_kind_of_value_is_read_from_text() -> None:
    settings = Settings.read(
        {
            "LAMINA_MODEL_JUDGE": "anthropic:claude-sonnet-4-5",
            "LAMINA_BASE_URL": "http://localhost:8000/v1",
            "LAMINA_PRICE": "0.15, 0.60",
            "LAMINA_TIMEOUT": "2.5",
            "LAMINA_CACHE": "no",
            "LAMINA_BUDGET_USD": "5",
            "LAMINA_BUDGET_CALLS": "100",
            "LAMINA_BUDGET_TOKENS": "90000",
        }
    )

    assert settings.models.judge == "anthropic:claude-sonnet-4-5"
    assert settings.models.base_url == "http://localhost:8000/v1"
    assert settings.models.price == Price(0.15, 0.60)
    assert settings.models.timeout == 2.5
    assert settings.models.cache is False
    assert settings.budget == Budget(usd=5.0, calls=100, tokens=90000)


def test_every_kind_of_value_is_read_from_toml(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(
        "[models]\nprice = [0.15, 0.6]\ntimeout = 2\ncache = false\n[budget]\ncalls = 3\n"
    )

    settings = Settings.read({}, file)

    assert settings.models.price == Price(0.15, 0.6)
    assert (settings.models.timeout, settings.models.cache) == (2.0, False)
    assert settings.budget.calls == 3


@pytest.mark.parametrize(
    ("variable", "value", "may_be"),
    [
        ("LAMINA_MODEL", "gpt-5", "PROVIDER:NAME"),
        ("LAMINA_MODEL_RANK", ":x", "PROVIDER:NAME"),
        ("LAMINA_BASE_URL", "localhost:8000", "http://"),
        ("LAMINA_PRICE", "1", "INPUT,OUTPUT"),
        ("LAMINA_PRICE", "1,-2", "INPUT,OUTPUT"),
        ("LAMINA_PRICE", "1,nan", "INPUT,OUTPUT"),
        ("LAMINA_TIMEOUT", "0", "a number above 0"),
        ("LAMINA_TIMEOUT", "inf", "a number above 0"),
        ("LAMINA_CONCURRENCY", "many", "a whole number"),
        ("LAMINA_CONCURRENCY", "1.5", "a whole number"),
        ("LAMINA_BUDGET_USD", "$5", "a number above 0"),
        ("LAMINA_CACHE", "perhaps", "true or false"),
        ("LAMINA_VARIANT", "graph", "one of full, events, flat"),
    ],
)
def test_a_wrong_value_is_one_line_that_names_the_setting_and_what_it_may_be(
    variable: str, value: str, may_be: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.read({variable: value})

    message = str(caught.value)
    assert message.startswith(f"{variable} must be ")
    assert may_be in message
    assert value in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[models]\nmodle = 'a:b'\n", "did you mean model?"),
        ("modles = 1\n", "did you mean models?"),
        ("[budget]\nxyz = 1\n", "it knows usd, calls, tokens"),
        ("budget = 5\n", "write [budget]"),
        ("[models]\ntimeout = true\n", "models.timeout in the settings file must be a number"),
        ("[models]\nmodel = 5\n", "models.model in the settings file must be"),
        ("[models\n", "is not TOML"),
    ],
)
def test_a_wrong_file_is_one_line_that_says_what_to_mend(
    tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "s.toml"
    file.write_text(text)

    with pytest.raises(SettingsError) as caught:
        Settings.read({}, file)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "s.toml"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(SettingsError, match=r"s\.toml"):
        Settings.read({"LAMINA_CONFIG": str(file)})


def test_keys_come_from_our_variables_or_the_providers_own() -> None:
    settings = Settings.read(
        {
            "LAMINA_API_KEY": "a",
            "OPENAI_API_KEY": "b",
            "GOOGLE_API_KEY": "c",
            "LAMINA_ENCODER_KEY": "d",
        }
    )

    assert settings.models.api_key == Secret("a")
    assert settings.models.provider_keys == {"openai": Secret("b"), "google": Secret("c")}
    assert settings.encoder.key is not None
    assert settings.encoder.key.reveal() == "d"


def test_a_key_shows_itself_nowhere() -> None:
    settings = Settings.read({"LAMINA_API_KEY": KEY, "OPENAI_API_KEY": KEY})

    shown = [
        repr(settings), str(settings), f"{settings.models.api_key}",
        json.dumps(settings.to_dict()), repr(dataclasses.asdict(settings)),
        repr(copy.deepcopy(settings)),
    ]  # fmt: skip
    assert not [text for text in shown if KEY in text]
    with pytest.raises(TypeError):
        pickle.dumps(settings)


def test_a_wrong_key_is_not_shown_in_the_error(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(f"[models]\napi_key = ['{KEY}']\n")

    with pytest.raises(SettingsError) as caught:
        Settings.read({}, file)

    assert KEY not in str(caught.value)


@pytest.mark.parametrize("key", [f"{KEY} x", f"{KEY}\n{KEY}", f"{KEY}é", f"“{KEY}”"], ids=range(4))
def test_a_key_that_cannot_be_sent_is_told_at_once(key: str) -> None:
    with pytest.raises(SettingsError, match="LAMINA_API_KEY must be one word") as caught:
        Settings.read({"LAMINA_API_KEY": key})

    assert KEY not in str(caught.value)


def test_blanks_and_line_ends_around_a_key_do_no_harm() -> None:
    assert Settings.read({"LAMINA_API_KEY": f" {KEY}\n"}).models.api_key == Secret(KEY)


def test_every_setting_is_described_and_named_once() -> None:
    settings = documented()

    assert all(setting.description.endswith(".") for setting in settings)
    assert len({setting.variable for setting in settings}) == len(settings)
    assert all(setting.variable.startswith("LAMINA_") for setting in settings)
    by_name = {setting.variable: setting for setting in settings}
    assert by_name["LAMINA_CACHE"].toml == "models.cache"
    assert by_name["LAMINA_CACHE"].default == "true"


def test_a_documented_key_and_variable_set_the_same_field(tmp_path: Path) -> None:
    samples = {"LAMINA_PRICE": "1,2", "LAMINA_CACHE": "false", "LAMINA_VARIANT": "flat",
               "LAMINA_STRATEGY": "structmem"}  # fmt: skip
    for setting in documented():
        value = samples.get(setting.variable) or _sample(setting.toml)
        table, _, key = setting.toml.rpartition(".")
        file = tmp_path / "s.toml"
        file.write_text(f"[{table}]\n{key} = '{value}'\n" if table else f"{key} = '{value}'\n")

        assert Settings.read({}, file) == Settings.read({setting.variable: value}), setting.toml


def _sample(toml: str) -> str:
    key = toml.rpartition(".")[2]
    if key in ("usd", "calls", "tokens", "concurrency", "timeout", "recency", "half_life_days"):
        return "7"
    return "http://a:1/v1" if key.endswith("url") else "ollama:x"
