from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import lamina
from lamina.ports import EncoderSpace
from lamina.testing import FakeClock, WordEncoder

if TYPE_CHECKING:
    from lamina.model import Vectors


class Turned(WordEncoder):
    """Another encoder: the same vectors, back to front, in another space."""

    space = EncoderSpace(
        id="tests/turned",
        dim=WordEncoder.space.dim,
        max_tokens=WordEncoder.space.max_tokens,
        languages=WordEncoder.space.languages,
    )

    def encode(self, texts: Sequence[str]) -> "Vectors":
        return super().encode(texts)[:, ::-1].copy()


MOMENTS: tuple[dict[str, str], ...] = ({}, {"as_of": "2026-01-01T11:00:00Z"})


def similarities(user: lamina.Handle) -> list[dict[str, float]]:
    """What is found now and as of a moment before all changes, and how near it is."""
    found = [user.search("boat tea", **moment) for moment in MOMENTS]  # type: ignore[arg-type]
    return [{hit.text: round(hit.similarity, 4) for hit in hits} for hits in found]


def test_what_is_hidden_or_was_revised_is_encoded_too(tmp_path: Path) -> None:
    path, clock = tmp_path / "memory.db", FakeClock()
    said = ["I keep a boat in Oslo.", "It is green.", "Tea is nice."]
    with lamina.open(path, encoder=WordEncoder(), clock=clock) as memory:
        user = memory.user("ann")
        ids = user.add(said, timestamp="2026-01-01T10:00:00Z", wait=True).ids
        edited = user.update(next(n.id for n in user.list() if n.event == ids[2]), "Ann hates tea.")
        user.update(edited.id, "Ann loathes tea.")
        user.delete(ids[1])
        before = similarities(user)
        counts = memory.stats().counts

        encoded = memory.reencode(Turned())

    assert encoded > counts["documents"]
    with lamina.open(path, encoder=Turned(), clock=clock) as memory:
        assert memory.check() == []
        assert similarities(memory.user("ann")) == before
    assert "It is green." not in before[0]
    assert before[1]["It is green."] != 0


def test_encoding_can_be_stopped_and_begun_again(tmp_path: Path) -> None:
    path, clock = tmp_path / "memory.db", FakeClock()

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with lamina.open(path, encoder=WordEncoder(), clock=clock) as memory:
        user = memory.user("ann")
        user.add(["I keep a boat.", "Tea is nice."], timestamp="2026-01-01T10:00:00Z")
        before = similarities(user)
        with pytest.raises(KeyboardInterrupt):
            memory.reencode(Turned(), progress=stop)
        assert similarities(user) == before
        memory.reencode(Turned())

    with lamina.open(path, encoder=Turned(), clock=clock) as memory:
        assert similarities(memory.user("ann")) == before
