"""One user's whole path through AtomRec: what is written, linked, evolved, read and ranked.

Each stage is shown what the recorded reply to the one before it says; where there is none yet, what
a simple rule makes of it. `python -m tests.recorded.atomrec_paths FOLDER [CASE]` writes the prompts
as files (`CASE/STAGE.txt`), reads replies laid beside them (`CASE/STAGE.reply.json`), and tells
what the real parser makes of each.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from lamina.identity import digest
from lamina.items import Interaction, Item
from lamina.ports import Failure, Reply, Request
from lamina.strategies.atomrec import extractive_reading, profiles
from lamina.strategies.atomrec.config import AtomRecConfig
from lamina.strategies.atomrec.prompted import Prompted
from lamina.strategies.atomrec.stages import (
    Candidate,
    Card,
    Click,
    Evolution,
    Evolving,
    Fields,
    Linking,
    Reading,
    Reflecting,
    Reflection,
    Relation,
    Scored,
    Side,
    Synthesis,
    Taste,
    Written,
)
from tests.recorded import atomrec_films, atomrec_invented
from tests.recorded.cases import prompt_digest

HERE = Path(__file__).parent / "atomrec"
STAGES = ("write", "link", "evolve", "reflect", "synthesise", "taste", "score")
CONFIG = AtomRecConfig()


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What is known when a user does something, and what is to be ranked after it."""

    items: dict[str, Item]
    before: tuple[Interaction, ...]
    """What the user did before, oldest first."""
    click: Interaction
    others: tuple[Interaction, ...]
    """What others did before."""
    candidates: tuple[str, ...]
    instruction: str = ""


@dataclass(slots=True, kw_only=True)
class Walk:
    """The outcomes so far, and every prompt."""

    outcomes: dict[str, Any]
    """By stage, what the parser made of the reply; a `Failure`, if that is unusable."""
    requests: dict[str, Request]


class Told:
    """An `LLM` that gives one recorded reply, and keeps the request."""

    def __init__(self, reply: str | None) -> None:
        self._reply = reply
        self.request: Request | None = None
        self.asked = 0

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """See `LLM.complete`."""
        self.asked += len(requests)
        self.request = self.request or requests[0]
        if self._reply is None:
            return [Failure(reason="server", detail="not recorded") for _ in requests]
        return [Reply(text=self._reply, model="recorded") for _ in requests]


def walk(situation: Situation, replies: Callable[[str], str | None]) -> Walk:
    """Go through all stages; `replies` gives what was answered to a stage, if anything was."""
    done = Walk(outcomes={}, requests={})

    def stage(name: str, act: Callable[[Prompted], Any], otherwise: Any) -> Any:
        llm = Told(replies(name))
        found = act(Prompted(CONFIG, llm, llm))
        assert llm.request is not None
        done.requests[name], done.outcomes[name] = llm.request, found
        if llm.asked > 1:
            done.outcomes[name] = Failure(reason="malformed", detail="not taken at once")
        return otherwise if isinstance(found, Failure) else found

    memory = _Memory(situation)
    click = memory.click()
    written: Written = stage("write", lambda p: p.write([click])[0], memory.by_rule())
    memory.add(written)
    new, near = memory.new, memory.near()
    linking = Linking(new=new, near=near)
    links: tuple[Relation, ...] = stage("link", lambda p: p.link([linking])[0], _by_rule(near))
    evolving = memory.evolving(links)
    evolved: Evolution | None = stage("evolve", lambda p: p.evolve([evolving])[0], None)
    memory.change(evolving.target.id, evolved)
    reflecting = memory.reflecting(click)
    reflected: Reflection | None = stage("reflect", lambda p: p.reflect([reflecting])[0], None)
    memory.reflect(reflected)
    reading = memory.reading(links, reflected.profile.content if reflected else click.profile)
    synthesis: Synthesis = stage(
        "synthesise", lambda p: p.synthesise(reading), extractive_reading.synthesise(reading)
    )
    taste: Taste = stage(
        "taste",
        lambda p: p.taste(reading, synthesis),
        extractive_reading.taste(reading, synthesis, CONFIG),
    )
    candidates = memory.candidates()
    stage("score", lambda p: p.score(reading, synthesis, taste, candidates), Scored())
    return done


def _by_rule(near: Sequence[Card]) -> tuple[Relation, ...]:
    return tuple(Relation(target=card.id) for card in near[:2])


class _Memory:
    """The notes of a situation, as cards."""

    def __init__(self, situation: Situation) -> None:
        self._now = situation
        own = [self._card("own", each) for each in situation.before]
        others = [self._card("other", each) for each in situation.others]
        seen = dict.fromkeys(each.item for each in (*situation.before, *situation.others))
        first = {each.item: each for each in reversed((*situation.before, *situation.others))}
        items = [self._item(situation.items[id_], first[id_]) for id_ in seen]
        self.cards = {card.id: card for card in (*own, *others, *items)}
        self._just_written = ""
        self.new: Card = self._card("own", situation.click)

    def _card(self, side: Side, each: Interaction) -> Card:
        return Card(
            id=f"note-{each.id}",
            side=side,
            fields=self._rule(each),
            at=each.at,
            item=each.item,
            rating=each.rating,
        )

    def _rule(self, each: Interaction) -> Fields:
        item = self._now.items[each.item]
        said = f": {each.text}" if each.text else ""
        rated = "" if each.rating is None else f" {each.rating}"
        content = f"{item.title}{rated}{said}"
        return Fields(content=content, keywords=item.tags[:4], tags=item.categories)

    def _item(self, item: Item, first: Interaction) -> Card:
        content = f"{item.title}. {item.description}".strip()
        told = Fields(content=content, keywords=item.tags[:4], tags=item.categories)
        return Card(id=f"item-{item.id}", side="item", fields=told, at=first.at, item=item.id)

    def _own(self) -> list[Card]:
        own = [card for card in self.cards.values() if card.side == "own"]
        return sorted(own, key=lambda card: card.at, reverse=True)

    def click(self) -> Click:
        own = self._own()
        return Click(
            interaction=self._now.click,
            item=self._now.items[self._now.click.item],
            recent=tuple(own[: CONFIG.recent]),
            counts=profiles.told(own),
            usual=sum(card.rating or 0.0 for card in own) / len(own),
            new_item=f"item-{self._now.click.item}" not in self.cards,
        )

    def by_rule(self) -> Written:
        item = self._now.items[self._now.click.item]
        return Written(
            user=self._rule(self._now.click), item=self._item(item, self._now.click).fields
        )

    def add(self, written: Written) -> None:
        click = self._now.click
        self.new = replace(self.new, fields=written.user)
        if written.item and f"item-{click.item}" not in self.cards:
            card = self._item(self._now.items[click.item], click)
            self._just_written = card.id
            self.cards[card.id] = replace(card, fields=written.item)

    def near(self) -> tuple[Card, ...]:
        """Return the 20 notes that share most with the new one."""
        before = [card for card in self.cards.values() if card.id != self._just_written]
        told = [replace(card, similarity=_alike(card, self.new)) for card in before]
        told.sort(key=lambda card: (-card.similarity, digest(card.id)))
        return tuple(told[: CONFIG.k_link])

    def evolving(self, links: Sequence[Relation]) -> Evolving:
        near = self.near()
        linked = [self.cards[link.target] for link in links]
        own = [card for card in linked if card.side == "own"]
        target = (own or linked or list(near))[0]
        nearby = [card for card in near if card.id != target.id][: CONFIG.nearby]
        tied = (self.new.id,) if target.id in {link.target for link in links} else ()
        return Evolving(new=self.new, target=target, nearby=tuple(nearby), linked=tied)

    def change(self, id_: str, evolved: Evolution | None) -> None:
        if evolved:
            told = self.cards[id_].fields
            self.cards[id_] = replace(
                self.cards[id_],
                fields=replace(
                    told, keywords=evolved.keywords, tags=evolved.tags, context=evolved.context
                ),
            )

    def reflecting(self, click: Click) -> Reflecting:
        item = self.cards.get(f"item-{click.item.id}")
        near = [card for card in self.near() if card.id != f"item-{click.item.id}"]
        return Reflecting(
            click=click, note=self.new, item=item, neighbours=tuple(near[: CONFIG.neighbours])
        )

    def reflect(self, reflected: Reflection | None) -> None:
        if reflected:
            self.change(f"item-{self._now.click.item}", reflected.item)
            for id_, evolved in reflected.neighbours:
                self.change(id_, evolved)

    def reading(self, links: Sequence[Relation], profile: str) -> Reading:
        linked = tuple(
            replace(self.cards[link.target], relation=link.relation, after=self.new.id)
            for link in links
        )
        own_notes = self._own()
        own = [card for card in own_notes if card.id not in {c.id for c in linked}]
        return Reading(
            instruction=self._now.instruction,
            profile=profile,
            counts=profiles.told([self.new, *own_notes]),
            own=(self.new, *own)[: CONFIG.top],
            linked=linked,
        )

    def candidates(self) -> tuple[Candidate, ...]:
        found = []
        for id_ in self._now.candidates:
            item, card = self._now.items[id_], self.cards.get(f"item-{id_}")
            told = card.fields.content if card else item.description
            found.append(Candidate(item=item, memory=told))
        return tuple(found)


def _alike(one: Card, other: Card) -> float:
    """Return the share of tags and keywords that two notes have in common."""
    these = {word.casefold() for word in (*one.fields.tags, *one.fields.keywords)}
    those = {word.casefold() for word in (*other.fields.tags, *other.fields.keywords)}
    same = 0.5 if one.item == other.item else 0.0
    return same + len(these & those) / max(1, len(these | those))


@cache
def situations() -> dict[str, Situation]:
    """Return all cases by name; those of real users only where their data are."""
    return {
        name: Situation(**told)
        for name, told in (*atomrec_films.cases(), *atomrec_invented.cases())
    }


def recorded(case: str) -> Callable[[str], str | None]:
    """Return what gives the recorded replies of a case."""

    def reply(stage: str) -> str | None:
        path = HERE / f"{case}.{stage}.json"
        return json.loads(path.read_text("utf-8"))["reply"] if path.exists() else None

    return reply


def _beside(folder: Path) -> Callable[[str], str | None]:
    def reply(stage: str) -> str | None:
        path = folder / f"{stage}.reply.json"
        return path.read_text("utf-8") if path.exists() else None

    return reply


def _render(folder: Path, case: str, situation: Situation) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    done = walk(situation, _beside(folder))
    for stage, request in done.requests.items():
        text = f"{request.system}\n\n{request.prompt}\n"
        (folder / f"{stage}.txt").write_text(text, "utf-8")
        if _beside(folder)(stage) is not None:
            sys.stdout.write(f"{case} {stage}: {done.outcomes[stage]}\n\n")


def _record(folder: Path, case: str, situation: Situation, by: str) -> None:
    """Keep the replies beside the prompts as recordings."""
    HERE.mkdir(exist_ok=True)
    for stage, request in walk(situation, _beside(folder)).requests.items():
        reply = _beside(folder)(stage)
        if reply is not None:
            kept = {"prompt_digest": prompt_digest(request), "by": by, "reply": reply}
            text = json.dumps(kept, ensure_ascii=False, indent=1)
            (HERE / f"{case}.{stage}.json").write_text(f"{text}\n", "utf-8")


def main() -> None:
    """Render the prompts of all cases, or of one; with `--record=WHO`, keep the replies."""
    who = [each.removeprefix("--record=") for each in sys.argv[1:] if each.startswith("--record=")]
    folder, *chosen = [each for each in sys.argv[1:] if not each.startswith("--")]
    for case, situation in situations().items():
        if chosen and case not in chosen:
            continue
        _render(Path(folder) / case, case, situation)
        for by in who:
            _record(Path(folder) / case, case, situation, by)


if __name__ == "__main__":
    main()
