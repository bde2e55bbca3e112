"""Text into sentences, in any script, and the few questions that are asked about a sentence."""

from __future__ import annotations

import re

from lamina.recall.analysis import terms
from lamina.recall.scripts import LETTERS

_SHORT_FORMS = ("[A-Z]", "Mr", "Ms", "Mrs", "Dr", "St", "vs", "e\\.g", "i\\.e")
_ABBREVIATED = "".join(rf"(?<!\b{form}\.)" for form in _SHORT_FORMS)
_ENDS = re.compile(
    rf"(?<=[!?…।؟۔])\s+|{_ABBREVIATED}(?<=\.)\s+(?=[^a-z])|(?<=[。！？])(?![”」』）])|[\r\n]+"
)
_ASKS = re.compile(r"[?？؟][\s\"'”’」』)）]*$")
_UNSPACED = f"{LETTERS['han']}{LETTERS['kana']}{LETTERS['thai']}{LETTERS['southeast']}"
_WORDS = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['’\-][^\W_{_UNSPACED}]+)*")
_LETTER_WORTH = 0.6
"""Words that a letter counts where words are not set apart: Chinese ones have 1.7 on average."""
_SAYS_SOMETHING = 2
"""Terms that a sentence needs, to be more than a greeting or a cheer."""

_IS = re.compile(
    r"(?:i am|i['’]?m|we are|we['’]re) (?:an? |the |now |currently )*(?!(?:fine|okay|ok|good|great|"
    r"well|better|sorry|afraid|sure|here|there|back|home|done|ready|right|wrong|so|in|off|out|"
    r"kidding|joking|serious|glad|happy|bored|tired|listening|waiting|coming|going|leaving)\b)"
    r"[\w'’-]+(?: now| too| again| already| actually)?[.!…]*",
    re.IGNORECASE,
)
"""What somebody says to be, in one word that is no phrase of courtesy or of the moment."""


def split(text: str) -> list[str]:
    """Return the sentences of `text`, stripped, in order; what has no end mark is one sentence.

    >>> split("I met Dr. Lee! She's 5.5 ft. Ok?")
    ['I met Dr. Lee!', "She's 5.5 ft.", 'Ok?']
    >>> split("我搬到奥斯陆了。你呢？")
    ['我搬到奥斯陆了。', '你呢？']
    """
    return [part.strip() for part in _ENDS.split(text) if part.strip()]


def is_question(sentence: str) -> bool:
    """Whether a sentence asks.

    >>> is_question("How are you?"), is_question("I'm fine.")
    (True, False)
    """
    return bool(_ASKS.search(sentence))


def states(sentence: str) -> bool:
    """Whether a sentence tells something: it does not ask, and is more than a greeting.

    >>> states("I moved to Oslo."), states("Hello!"), states("Where is Oslo now?")
    (True, False, False)
    >>> states("I am vegetarian."), states("I am fine.")
    (True, False)
    """
    told = len(set(terms(sentence))) >= _SAYS_SOMETHING or _IS.fullmatch(sentence)
    return bool(told) and not is_question(sentence)


def count_words(text: str) -> int:
    """Count words; in scripts that do not set them apart, letters stand for part of one.

    >>> count_words("I don't know."), count_words("我搬到奥斯陆了。")
    (3, 4)
    """
    found = _WORDS.findall(text)
    letters = sum(len(word) == 1 and ord(word) > 0x0DFF for word in found)
    return len(found) - letters + round(letters * _LETTER_WORTH)
