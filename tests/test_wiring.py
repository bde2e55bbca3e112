"""Which stages form a pool: with a model if there is one."""

import lamina
from lamina.ports import LLM
from lamina.strategies.amem4rec.config import AMEM4RecConfig
from lamina.testing.encoder import WordEncoder
from lamina.testing.scripted import ScriptedLLM
from lamina.work.engine import Engine


def engine(llm: LLM | None) -> Engine:
    with lamina.open(":memory:", encoder=WordEncoder(), llm=llm) as memory:
        return memory._engine


def test_a_pool_is_formed_by_the_model_of_its_scope_and_without_one_by_selecting() -> None:
    llm = ScriptedLLM()
    stages = engine(llm).pool_stages

    assert stages(AMEM4RecConfig(), llm).name == "amem4rec-prompted"
    assert stages(AMEM4RecConfig(), None).name == "amem4rec-extractive"
    assert engine(None).pool_stages(AMEM4RecConfig(), None).name == "amem4rec-extractive"
