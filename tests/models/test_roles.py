from lamina.models.roles import Roles, name_of
from lamina.testing.scripted import ScriptedLLM


class Closing(ScriptedLLM):
    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_role_without_a_model_of_its_own_has_the_default() -> None:
    default, judge = ScriptedLLM(), ScriptedLLM()
    roles = Roles(default, {"judge": judge})

    assert roles.get("memory") is default
    assert roles.get("judge") is judge


def test_without_a_default_only_named_roles_have_a_model() -> None:
    roles = Roles(own={"answer": ScriptedLLM()})

    assert roles.get("memory") is None
    assert roles.get("answer") is not None


def test_a_model_that_serves_several_roles_is_closed_and_wrapped_once() -> None:
    shared = Closing()
    roles = Roles(shared, {"judge": shared})

    roles.close()
    wrapped = roles.wrapped(lambda _: Closing())

    assert shared.closed == 1
    assert wrapped.get("memory") is wrapped.get("judge")


def test_a_model_goes_by_its_name_or_its_class() -> None:
    class Nameless:
        def complete(self, requests: object) -> list[object]:
            return []

    assert name_of(ScriptedLLM(model="openai:x")) == "openai:x"
    assert name_of(Nameless()) == "Nameless"  # type: ignore[arg-type]
