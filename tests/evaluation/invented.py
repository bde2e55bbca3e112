"""A small invented file in LoCoMo's schema."""

import json
from pathlib import Path
from typing import Any

TALKS: dict[str, list[list[str]]] = {
    "ann-and-bo": [
        [
            "Ann: Hello Bo, how was your summer?",
            "Bo: Great, I learned to sail on Lake Vänern with my uncle Sven.",
            "Ann: How lovely! I spent mine repairing an old piano.",
            "Bo: Did you find the missing keys?",
            "Ann: Yes, a carpenter in Turku made two new ones from maple.",
            "Bo: You must play it for me one day.",
        ],
        [
            "Bo: I adopted a cat yesterday, her name is Pixel.",
            "Ann: Congratulations! What does she look like?",
            "Bo: She is grey with one white paw.",
            "Ann: I started a pottery course on Mondays.",
            "Bo: What are you making?",
            "Ann: Mugs for now, a teapot later if my teacher allows.",
        ],
        [
            "Ann: My sister Ida moved to Lisbon to study marine biology.",
            "Bo: Will you visit her?",
            "Ann: In May, with our parents.",
            "Bo: I may sell the boat, the harbour fees have doubled.",
            "Ann: That is a pity, you loved sailing.",
            "Bo: Pixel hates the water anyway.",
        ],
    ],
    "cleo-and-dan": [
        [
            "Cleo: Dan, did the bakery open?",
            "Dan: It did, we sold forty rye loaves before noon.",
            "Cleo: Who helped you?",
            "Dan: My cousin Mira kneaded, I stood at the till.",
            "Cleo: I ran my first marathon in Hamburg.",
            "Dan: How long did it take you?",
        ],
        [
            "Cleo: Four hours and ten minutes, and a blister.",
            "Dan: Impressive! I burnt my hand on the oven last week.",
            "Cleo: Oh no, is it better?",
            "Dan: Nearly healed, the doctor gave me a salve of marigold.",
            "Cleo: I bought a violin at the flea market.",
            "Dan: Can you play it?",
        ],
        [
            "Dan: The bakery will close in January for repairs.",
            "Cleo: What is broken?",
            "Dan: The chimney leaks, a mason must rebuild it.",
            "Cleo: I joined an orchestra of beginners.",
            "Dan: With the violin from the flea market?",
            "Cleo: Yes, we rehearse in a church on Thursdays.",
        ],
    ],
}
ASKED: dict[str, list[tuple[str, object, int, list[str]]]] = {
    "ann-and-bo": [
        ("Where did Bo learn to sail?", "Lake Vänern", 4, ["D1:2"]),
        ("Who made new piano keys for Ann?", "a carpenter in Turku", 4, ["D1:05"]),
        ("When did Bo adopt Pixel?", "7 July 2025", 2, ["D2:1"]),
        ("Which hobbies does Ann have?", "piano, pottery", 1, ["D1:3; D2:4"]),
        ("What does Ida study?", "marine biology", 4, ["D3:1"]),
        ("Would Bo keep the boat?", "Probably not; it costs too much", 3, ["D:3:4", "D"]),
        ("What might Ann like as a gift?", "Sheet music", 3, []),
        ("When did Ann adopt a cat?", "", 5, ["D2:1"]),
    ],
    "cleo-and-dan": [
        ("How many loaves did Dan's bakery sell?", 40, 4, ["D1:2"]),
        ("In which city did Cleo run a marathon?", "Hamburg", 4, ["D1:5"]),
        ("How long did Cleo's marathon take?", "four hours and ten minutes", 1, ["D1:5", "D2:1"]),
        ("What did the doctor give Dan?", "a salve of marigold", 4, ["D2:4"]),
        ("Why will the bakery close in January?", "for repairs", 2, ["D3:1", "D3:3"]),
        ("Where does Cleo's orchestra rehearse?", "in a church", 4, ["D3:6", "D9:9"]),
    ],
}
DATES = ("1:56 pm on 2 June, 2025", "9:05 am on 8 July, 2025", "12:30 pm on 1 September, 2025")


def sample(name: str) -> dict[str, Any]:
    talk: dict[str, Any] = {"speaker_a": "", "speaker_b": ""}
    for number, lines in enumerate(TALKS[name], start=1):
        talk[f"session_{number}_date_time"] = DATES[number - 1]
        talk[f"session_{number}"] = [
            {"dia_id": f"D{number}:{place}", "speaker": speaker, "text": text}
            for place, line in enumerate(lines, start=1)
            for speaker, _, text in [line.partition(": ")]
        ]
    asked = [
        {"question": text, "answer": answer, "category": category, "evidence": evidence}
        for text, answer, category, evidence in ASKED[name]
    ]
    return {"sample_id": name, "conversation": talk, "qa": asked}


def write(folder: Path) -> Path:
    path = folder / "invented.json"
    path.write_text(json.dumps([sample(name) for name in TALKS]), encoding="utf-8")
    return path
