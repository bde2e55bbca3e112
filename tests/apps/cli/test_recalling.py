from collections.abc import Callable

from lamina.testing import ScriptedLLM
from tests.apps.cli.conftest import Cli


def test_a_search_is_a_table_with_the_evidence(told: Cli) -> None:
    result = told("search", "What is the canoe called?", "--top-k", "3")

    assert result.exit_code == 0
    assert "Yes, a red canoe named Pepper." in result.stdout
    assert "2026-03-04" in result.stdout
    assert "\x1b" not in result.stdout


def test_a_search_in_chinese_finds_chinese(told: Cli) -> None:
    hits = told.json("search", "船桨", "--top-k", "1")["hits"]

    assert "我买了新的船桨" in hits[0]["text"]


def test_a_search_tells_each_signal_if_asked(told: Cli) -> None:
    explained = told.json("search", "canoe", "--explain")["hits"][0]
    silent = told.json("search", "canoe")["hits"][0]

    assert explained["signals"]
    assert silent["signals"] == {}
    assert next(iter(explained["signals"])) in told("search", "canoe", "--explain").stdout


def test_a_search_can_be_narrowed_to_a_kind(told: Cli) -> None:
    hits = told.json("search", "canoe", "--kind", "message")["hits"]

    assert {hit["kind"] for hit in hits} == {"message"}


def test_a_blank_query_is_a_wrong_call(told: Cli) -> None:
    assert "blank" in told.fails("search", " ", code=2)


def test_the_context_is_plain_text_that_fits(told: Cli) -> None:
    result = told("context", "What is the canoe called?", "--max-tokens", "200")
    block = told.json("context", "What is the canoe called?", "--max-tokens", "200")["context"]

    assert "Pepper" in block
    assert result.stdout == f"{block}\n"


def test_a_question_without_a_model_says_what_to_set(told: Cli) -> None:
    line = told.fails("ask", "What is the canoe called?", code=1)

    assert "LAMINA_MODEL" in line


def test_an_answer_is_told_with_its_evidence(
    cli: Cli, model: Callable[[ScriptedLLM], None]
) -> None:
    cli.json("add", "--user", "ann", "The canoe is called Pepper.")
    model(ScriptedLLM(always='{"answer": "Pepper.", "cited": [1], "search": null}'))

    answer = cli.json("ask", "What is the canoe called?")

    assert (answer["text"], len(answer["cited"]), answer["model"]) == ("Pepper.", 1, "scripted")
    shown = cli("ask", "What is the canoe called?").stdout
    assert shown.startswith("Pepper.\n")
    assert answer["cited"][0]["id"][:8] in shown


def test_the_timeline_begins_with_the_first_mention(told: Cli) -> None:
    moments = told.json("timeline", "the canoe Pepper")["moments"]

    assert moments[0]["role"] == "first mention"
    assert [m["said_at"] for m in moments] == sorted(m["said_at"] for m in moments)
    assert "first mention" in told("timeline", "the canoe Pepper").stdout


def test_reading_from_a_store_that_is_not_there_makes_none(cli: Cli) -> None:
    line = cli.fails("search", "--user", "u", "anything", code=2)

    assert "there is no memory at" in line
    assert "--db" in line
    assert not cli.db.exists()


def test_the_only_memory_need_not_be_named_but_one_of_several_must(cli: Cli) -> None:
    cli.json("add", "--user", "alice", "I row.")
    assert len(cli.json("search", "rowing")["hits"]) == 1

    cli.json("add", "--conversation", "c", "We row.")

    line = cli.fails("search", "rowing", code=2)
    assert "--user alice" in line
    assert "--conversation c" in line


def test_nobody_finds_what_another_said(cli: Cli) -> None:
    cli.json("add", "--user", "a", "My secret is blue.")

    cli.json("add", "--user", "ab", "I swim.")

    hits = cli.json("search", "--user", "ab", "secret")["hits"]
    assert [hit["text"] for hit in hits] == ["I swim."]
    assert "there is no user 'a%'" in cli.fails("search", "--user", "a%", "secret", code=2)


def test_a_search_tells_what_was_known_held_or_stood_then(moved: Cli) -> None:
    def found(*more: str) -> list[str]:
        call = ("search", "Where do I live?", "--kind", "message", *more)
        return [hit["text"] for hit in moved.json(*call)["hits"]]

    assert found() == ["I live in Rome now."]
    assert found("--as-of", "2025-03-01") == ["I live in Paris."]
    assert found("--valid-on", "2025-03-01") == ["I live in Paris."]
    assert found("--recorded-as-of", "2025-03-01") == []
    assert sorted(found("--superseded")) == ["I live in Paris.", "I live in Rome now."]


def test_hits_say_that_they_are_superseded_and_until_when(moved: Cli) -> None:
    shown = moved("search", "Paris", "--superseded").stdout

    assert "(until 2025-06-02; superseded by " in shown
    assert "in place of" in moved("search", "Rome").stdout


def test_the_context_and_the_timeline_are_told_from_a_moment(moved: Cli) -> None:
    block = moved.json("context", "Where do I live?", "--as-of", "2025-03-01")["context"]
    then = moved.json("timeline", "where I live", "--as-of", "2025-03-01")["moments"]

    assert "Paris" in block
    assert "Rome" not in block
    assert [moment["text"] for moment in then] == ["I live in Paris."]
    assert "(until 2025-06-02)" in moved("timeline", "where I live").stdout


def test_an_answer_is_given_from_a_moment(moved: Cli, model: Callable[[ScriptedLLM], None]) -> None:
    llm = ScriptedLLM(always='{"answer": "Paris.", "cited": [1], "search": null}')
    model(llm)

    answer = moved.json("ask", "Where do I live?", "--as-of", "2025-03-01")

    assert [hit["text"] for hit in answer["cited"]] == ["I live in Paris."]


def test_a_moment_that_is_no_time_is_a_wrong_call(moved: Cli) -> None:
    assert "not a time: 'soon'" in moved.fails("search", "Paris", "--as-of", "soon", code=2)
