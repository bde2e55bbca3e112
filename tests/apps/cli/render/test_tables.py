from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

from rich.console import Console, RenderableType

from lamina.apps.cli.costing import Cost
from lamina.apps.cli.intake import Imported, Taken
from lamina.apps.cli.render import entries, figures, hits, story
from lamina.memory.values import Moment, Processed, Source, Stats, Why
from lamina.model import Hit, Message, Note, Revision
from lamina.ports import EncoderSpace, Operation, Usage

MARCH = datetime(2026, 3, 4, 10, tzinfo=UTC)
MESSAGE = Message(
    id="a" * 32, session="s1", role="user", speaker="Ann", text="I moved to Oslo.", said_at=MARCH,
    recorded_at=MARCH, position=1,
)  # fmt: skip


def note(text: str = "Ann lives in Oslo.", **more: Any) -> Note:
    given = {
        "id": "b" * 32, "kind": "fact", "event": "a" * 32, "sources": ("a" * 32,),
        "began_at": MARCH, "said_at": MARCH, "known_at": MARCH, "recorded_at": MARCH,
        "operation": "op1", **more,
    }  # fmt: skip
    return Note(text=text, **given)


def hit(text: str = "I moved to Oslo.", **more: Any) -> Hit:
    given = {
        "kind": "message", "id": "a" * 32, "relevance": 0.8125, "session": "s1", "speaker": "Ann",
        "role": "user", "began_at": MARCH, "said_at": MARCH, **more,
    }  # fmt: skip
    return Hit(text=text, **given)


def drawn(*renderables: RenderableType, width: int = 110) -> str:
    out = Console(file=StringIO(), width=width, markup=False, emoji=False, highlight=False)
    for renderable in renderables:
        out.print(renderable)
    assert isinstance(out.file, StringIO)
    return out.file.getvalue()


def all_drawn(renderables: Iterable[RenderableType]) -> str:
    return drawn(*renderables)


def test_hits_show_when_who_kind_text_relevance_and_id() -> None:
    table = drawn(hits.hits_table([hit()]))

    for cell in ("1", "2026-03-04", "Ann", "I moved to Oslo.", "0.81", "aaaaaaaa"):
        assert cell in table
    assert "a" * 9 not in table


def test_the_kind_of_hits_is_shown_where_not_all_are_messages() -> None:
    assert "Kind" not in drawn(hits.hits_table([hit()]))
    assert "summary" in drawn(hits.hits_table([hit(), hit(kind="summary")]))


def test_half_of_a_narrow_terminal_is_left_to_the_text() -> None:
    text = "I moved to Oslo by the night train."

    assert text in drawn(hits.hits_table([hit(text)]), width=80)


def test_days_of_a_span_stand_below_each_other() -> None:
    long = hit(kind="summary", began_at=MARCH - timedelta(days=40))

    lines = drawn(hits.hits_table([long]), width=80).splitlines()

    [first] = [line for line in lines if "2026-01-23 to" in line]
    assert "2026-03-04" in lines[lines.index(first) + 1]


def test_a_hit_explains_each_signal_greatest_first_and_the_rest_of_its_event() -> None:
    given = hit(signals={"lexical": 0.2, "dense": 0.6, "time": 0.0}, event=(note(),))

    table = drawn(hits.hits_table([given], explain=True), width=160)

    assert "dense 0.60, lexical 0.20" in table
    assert "time" not in table
    assert "fact: Ann lives in Oslo." in table
    assert "dense" not in drawn(hits.hits_table([given]))


def test_hearsay_is_marked() -> None:
    assert "(hearsay)" in drawn(hits.hits_table([hit(certainty="hearsay")]))


def test_stored_text_is_never_taken_for_markup() -> None:
    hostile = "[bold red]x[/] [/] :smile: \x1b[31m"

    assert "[bold red]x[/] [/] :smile: ␛[31m" in drawn(hits.hits_table([hit(hostile)]), width=160)
    assert "[bold red]x[/] [/] :smile: ␛[31m" in all_drawn(entries.entry(note(hostile)))


def test_no_text_is_lost_on_a_narrow_terminal() -> None:
    text = "one two three four five six seven eight nine ten eleven twelve"

    table = drawn(hits.hits_table([hit(text)]), width=60)

    assert all(any(word in line for line in table.splitlines()) for word in text.split())


def test_entries_are_notes_or_messages() -> None:
    table = drawn(entries.entries_table([MESSAGE, note(about="Ann")]))

    assert "message" in table
    assert "fact" in table
    assert table.count("Ann") == 3
    assert "message" not in drawn(entries.entries_table([MESSAGE]))


def test_one_note_shows_all_that_is_known_of_it() -> None:
    shown = all_drawn(
        entries.entry(
            note(certainty="hearsay", supported=False, revision=2, by_person=True, valid_at=MARCH)
        )
    )

    assert "hearsay, not supported" in shown
    assert "2, by a person" in shown
    assert "holds from" in shown
    assert "holds until" not in shown
    assert "b" * 32 in shown


def test_one_message_shows_its_session_and_how_far_its_memory_is() -> None:
    shown = all_drawn(entries.entry(MESSAGE))

    assert "Ann (user)" in shown
    assert "pending" in shown
    assert "key" not in shown


def test_revisions_tell_their_cause() -> None:
    revision = Revision(
        note="b" * 32, number=2, text="Ann lives in Rome.", operation="op", cause="update",
        model=None, prompt_digest=None, sources=(), parents=(), known_at=MARCH, recorded_at=MARCH,
        withdrawn=True,
    )  # fmt: skip

    table = drawn(entries.revisions_table([revision]))

    assert "changed by a person, withdrawn" in table
    assert "Ann lives in Rome." in table


def test_the_first_mention_stands_out_in_a_timeline() -> None:
    first = Moment(
        role="first mention", said_at=MARCH, speaker="Ann", text="I want to row.", why="",
        sources=("a" * 32,), relevance=1.0,
    )  # fmt: skip
    later = Moment(
        role="later", said_at=MARCH + timedelta(days=1), speaker="Bo", text="Rowing is cold.",
        why="answers Ann", sources=(), relevance=0.5,
    )  # fmt: skip

    table = drawn(story.timeline_table([first, later]))

    assert "first mention: I want to row." in table
    assert "answers Ann" in table
    assert "later:" not in table


def test_why_is_a_tree_down_to_the_messages_each_told_once() -> None:
    source = Source(id="a" * 32, role="user", speaker="Ann", said_at=MARCH, text="I moved to Oslo.")
    operation = Operation(
        id="op", kind="consolidate", cause="session s1", model="m1", known_at=MARCH,
        recorded_at=MARCH,
    )  # fmt: skip
    fact = Why(
        id="b" * 32, text="Ann lives in Oslo.", note=note(), operation=None, sources=(source,)
    )
    summary = Why(
        id="c" * 32, text="Ann moved.", note=note("Ann moved.", kind="summary"),
        operation=operation, formed_from=(fact,), sources=(source,),
    )  # fmt: skip

    tree = drawn(story.why_tree(summary))

    assert "Ann moved.  summary cccccccc, summed up from session s1 by m1" in tree
    assert "├── " in tree or "└── " in tree
    assert tree.count("Ann, 2026-03-04 10:00: I moved to Oslo.") == 1


def test_stats_tell_counts_work_encoder_and_cost() -> None:
    shown = all_drawn(
        figures.stats(
            Stats(
                scope=None,
                counts={"messages": 1200},
                usage=Usage(calls=3, input_tokens=5000, output_tokens=10, cost_usd=0.5, unpriced=1),
                encoder=EncoderSpace(id="minilm-1", dim=384, max_tokens=256, languages=frozenset()),
                waiting={"bind": 2},
                troubles=("the model did not answer",),
            )
        )
    )

    for told in ("1,200", "2 to read", "minilm-1", "5,000 in", "0.5000 USD, and 1 call of unknown"):
        assert told in shown
    assert "waits because: the model did not answer" in shown


def test_an_import_is_a_row_for_each_conversation() -> None:
    taken = Taken(kind="conversation", id="conv-1", turns=419, new=400, sessions=19)
    found = Imported(
        format="locomo", conversations=(taken,), turns=419, new=400, processed=Processed(done=3)
    )

    shown = all_drawn(figures.imported(found))

    assert "conversation conv-1" in shown
    assert "400" in shown
    assert "3 steps done" in shown


def test_a_cost_says_whether_it_would_be_paid() -> None:
    cost = Cost(
        turns=419, calls=50, input_tokens=90_000, output_tokens=9_000, cost_usd=None, model=None
    )

    assert "419 turns: 50 model calls, 90,000 tokens in, 9,000 out" in all_drawn(figures.cost(cost))
    assert "no model is configured" in all_drawn(figures.cost(cost))


def test_a_cost_that_cannot_be_known_says_what_to_install() -> None:
    cost = Cost(
        turns=1, calls=1, input_tokens=1, output_tokens=1, cost_usd=None, model="openai:x",
        missing="run: pip install it",
    )  # fmt: skip

    assert "openai:x is not known yet: run: pip install it" in all_drawn(figures.cost(cost))


def test_each_reason_of_a_failure_is_told_once() -> None:
    shown = all_drawn(
        figures.processed(Processed(done=0, failed=("no key", "no answer", "no key")))
    )

    assert shown.count("no key") == 1
    assert "to be tried again: no key (2 times)" in shown
    assert "to be tried again: no answer\n" in shown


def test_work_that_another_does_is_told_and_so_is_what_failed() -> None:
    shown = all_drawn(figures.processed(Processed(done=2, busy=1, failed=("no answer",))))

    assert "2 steps done" in shown
    assert "1 memory left to another worker" in shown
    assert "to be tried again: no answer" in shown
