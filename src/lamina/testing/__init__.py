"""For your tests: values with defaults, a clock, an encoder, a scripted model, ports' contracts.

A contract is a class of tests. Subclass it beside your adapter and give it a `store` fixture.
"""

from lamina.testing.clock import FakeClock
from lamina.testing.encoder import WordEncoder
from lamina.testing.scripted import ScriptedLLM

__all__ = ["FakeClock", "ScriptedLLM", "WordEncoder"]
