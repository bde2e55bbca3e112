"""A process that refreshes the pool of a store, by a model that takes its time.

It says "begun" when it has opened the store, and tells JSON when the refresh is done.
"""

import json
import sys
import time
from pathlib import Path

import lamina
from lamina.errors import LaminaError
from lamina.ports import Request
from lamina.testing import ScriptedLLM
from lamina.testing.encoder import WordEncoder
from tests.acceptance.telling import answer


def slowly(request: Request) -> str:
    """Answer after some milliseconds."""
    time.sleep(0.01)
    return answer(request)


def main(path: str, workers: str) -> None:
    with lamina.open(Path(path), encoder=WordEncoder(), llm=ScriptedLLM(always=slowly)) as memory:
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        try:
            done = memory.recommender("films").pool.refresh(workers=int(workers))
        except LaminaError as error:
            sys.stdout.write(json.dumps({"error": str(error)}))
        else:
            sys.stdout.write(json.dumps(done.to_dict()))


if __name__ == "__main__":
    main(*sys.argv[1:])
