import numpy as np
import pytest

from lamina.evaluation.rec import analyses, drift
from lamina.evaluation.rec.analyses import ABLATIONS, Variant
from lamina.evaluation.rec.keeping import Kept
from lamina.evaluation.rec.reports import variant_rows
from lamina.evaluation.rec.runs import Plan
from lamina.settings import Settings
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.testing import WordEncoder

SHAPE = drift.Shape(users=6, items=60, each=7)
PLAN = Plan(candidates=(10,), share=0.3, checkpoints=1, drawings=1, draws=10)


class Counting(WordEncoder):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def encode(self, texts):  # type: ignore[no-untyped-def]
        self.texts += texts
        return super().encode(texts)


def run(*variants: Variant, encoder: WordEncoder | None = None):  # type: ignore[no-untyped-def]
    return analyses.run(
        drift.drifting(SHAPE), PLAN, settings=Settings.read({}),
        encoder=encoder or WordEncoder(), variants=variants,
    )["uniform-10"]  # fmt: skip


def test_each_variant_is_held_against_the_full_method() -> None:
    found = run(*ABLATIONS)

    assert list(found) == ["full", *(variant.name for variant in ABLATIONS)]
    assert found["full"]["loss"] == 0.0
    full, less = found["full"], found["no atomic fields"]
    losses = [(full[m] - less[m]) / full[m] for m in ("H@3", "N@3", "H@5", "N@5")]
    assert less["loss"] == pytest.approx(np.mean(losses))
    assert less["lost"] == pytest.approx(full["N@5"] - less["N@5"])
    assert less["lost_low"] <= less["lost"] <= less["lost_high"]
    head, first, *_ = variant_rows("uniform-10", found)
    assert head[-1] == "full better by, N@5"
    assert first[-1] == "+0.000 [+0.000, +0.000]"


def test_append_only_changes_nothing_and_no_links_links_nothing() -> None:
    found = run(
        Variant(name="append-only", config=AtomRecConfig(evolves=False)),
        Variant(name="no links", config=AtomRecConfig(links="none")),
    )

    assert found["full"]["links_per_note"] > 0
    assert found["append-only"]["evolutions_per_interaction"] == 0
    assert found["no links"]["links_per_note"] == 0


def test_how_far_links_are_followed_matters_to_the_ranker_alone() -> None:
    counting = Counting()

    found = run(
        *(Variant(name=f"h {h}", hops=h) for h in (0, 2)),
        Variant(name="no link-aware retrieval", blind=("linked",)),
        encoder=counting,
    )

    assert found["h 2"] == found["full"]
    assert found["h 0"]["N@5"] == pytest.approx(found["no link-aware retrieval"]["N@5"])
    assert found["h 0"]["links_per_note"] == found["full"]["links_per_note"] > 0


def test_what_is_said_again_is_encoded_once() -> None:
    encoder = Counting()

    run(Variant(name="the same again"), encoder=encoder)

    assert len(set(encoder.texts)) == len(encoder.texts)


def test_kept_vectors_are_those_of_the_encoder() -> None:
    texts = ["a saddle", "an orbit", "a saddle"]

    np.testing.assert_array_equal(Kept(WordEncoder()).encode(texts), WordEncoder().encode(texts))
