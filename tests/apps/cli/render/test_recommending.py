from rich.text import Text

from lamina.apps.cli.render.recommending import ranking
from lamina.items import Ranked, Ranking


def test_a_ranking_tells_why_no_reply_of_a_model_could_be_used() -> None:
    why = "the model gave no answer (connection): openai:m: no connection, or it was dropped"
    found = Ranking(
        user="ann",
        items=(Ranked(item="1", title="Boat", score=0.5, by="fallback"),),
        discarded=True,
        failure=why,
    )

    told = [str(each) for each in ranking(found) if isinstance(each, Text)]

    assert f"{why}; the order is the extractive one" in "\n".join(told)
