"""From which cosine on notes hang together."""

from lamina.ports import Encoder
from lamina.strategies.atomrec.calibration import PAPER, tau_for
from lamina.strategies.atomrec.config import TAU, AtomRecConfig


def test_what_is_configured_holds_else_what_was_calibrated_else_the_papers() -> None:
    [known] = TAU

    assert tau_for(AtomRecConfig(tau_evo=0.0), known) == 0.0
    assert tau_for(AtomRecConfig(), known) == TAU[known]
    assert tau_for(AtomRecConfig(), "unheard of") == PAPER


def test_the_encoder_in_the_package_is_calibrated(encoder: Encoder) -> None:
    assert encoder.space.id in TAU
