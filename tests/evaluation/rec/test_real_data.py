import os
from pathlib import Path

import pytest

from lamina.evaluation.rec import reading
from lamina.evaluation.rec.runs import Plan, run

CHEAP = ("popularity", "ease", "markov", "tf-idf")


@pytest.mark.data
@pytest.mark.timeout(600)
def test_baselines_reach_what_others_measured_on_movielens() -> None:
    path = Path(os.environ.get("LAMINA_DATA", "../shared/data")) / "ml-latest-small"
    if not path.exists():
        pytest.skip(f"there is no {path}; LAMINA_DATA names the folder with the data")
    log = reading.read(path)
    plan = Plan(protocol="leave-last-out", candidates=(10,), methods=CHEAP, draws=10)

    found = run(log, plan).methods["uniform-10"]

    assert (len(log.by), len(log.users), len(log.catalogue.items)) == (100_004, 671, 9_066)
    hits = {name: found[name]["H@1"] for name in CHEAP}
    assert hits == pytest.approx(
        {"popularity": 0.482, "ease": 0.632, "markov": 0.516, "tf-idf": 0.417}, abs=0.04
    )
