"""The size of the file after 10,000 adds, 5,000 evolutions, 5,000 erasures and a compaction."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path

import lamina
from benchmarks.filling import START, RandomEncoder
from benchmarks.texts import messages
from benchmarks.timing import verdict
from lamina.adapters.encoders import open_encoder

LIVE, ERASED, EVOLVED, TIMES = 5_000, 5_000, 2_500, 2
A_SESSION = 25


def main() -> None:
    """Let one owner stay, with notes that are revised, and 5,000 others go one by one."""
    encoder = RandomEncoder(open_encoder("minilm").space)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with lamina.open(path, encoder=encoder) as memory:
            _fill(memory)
            grown = _size(path)
            memory.compact()
            live = _live(memory, encoder.space.dim)
        kept = _size(path)
    print(f"before the compaction {grown / 1e6:.1f} MB, after it {kept / 1e6:.1f} MB;")
    print(f"live text and vectors {live / 1e6:.1f} MB")
    verdict("file over live text and vectors", kept / live, "at most 3")


def _fill(memory: lamina.Memory) -> None:
    stays = memory.user("stays")
    said = [
        {
            "content": text,
            "timestamp": START + timedelta(minutes=n),
            "session_id": f"s{n // A_SESSION}",
        }
        for n, text in enumerate(messages(LIVE))
    ]
    stays.add(said)
    stays.process()
    for number, text in enumerate(messages(ERASED, seed=1)):
        memory.user(f"goes-{number}").add(text)
    facts = stays.list(kind="fact", limit=EVOLVED)
    for time in range(TIMES):
        for fact in facts:
            stays.update(fact.id, f"{fact.text} ({time})")
    stays.process()
    for number in range(ERASED):
        memory.user(f"goes-{number}").forget(purge=False)


def _live(memory: lamina.Memory, dim: int) -> int:
    """Return the bytes of the text of live messages and notes, and of live vectors."""
    stays = memory.user("stays")
    texts = [message.text for message in stays.messages(limit=LIVE)]
    texts += [note.text for note in stays.list(limit=10 * LIVE, superseded=True)]
    vectors = memory.stats().counts["documents"] * dim * 4
    return sum(len(text.encode()) for text in texts) + vectors


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.parent.iterdir())


if __name__ == "__main__":
    main()
