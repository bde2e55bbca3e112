"""Repairs: a message that takes back what its speaker said just before, in whatever words.

No slot needs to be known. It is enough that somebody admits a slip ("typo", "说错了") or opens as
people do who correct themselves ("hang on", "抱歉"), and that one of their last messages has a
value of the same sort, or is named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lamina.strategies.supersession import sorts
from lamina.strategies.supersession.known_names import listed

Strength: TypeAlias = Literal["admits", "hints", "denies"]

LONGEST_DENIAL = 80
LONGEST = 160
"""Characters of a message that repairs another one, and of one that is repaired."""
_ADMITS = re.compile(
    r"\b(?:typos?|typed|auto ?correct\w*|misspoke|mistyped|misread|miscounted|miswrote|mis-?said|"
    r"(?:scratch|strike|ignore|disregard|forget) (?:that|the last|my last|what i (?:just )?said)|"
    r"i meant?(?! (?:it|that i|business|well|no)\b)|meant to (?:say|write|type|put)|"
    r"make (?:that|it)(?= (?:a |an |the |on |at |in )?[\w']+(?:[.!,]|$))|"
    r"correction|(?:let me|gotta|have to|need to) correct|correcting myself|"
    r"(?:my|big|silly|small) (?:mistake|error|bad)|slip of the|brain ?(?:fart|fog)|"
    r"wrong (?:way round|one|name|number|date|day|year|time|word|city|town|address|place|month|"
    r"size|"
    r"figure|person)|"
    r"(?:i|that|it|which|what i (?:said|wrote)) (?:was|is|got that|had that|said that|wrote that|"
    r"put that) wrong|got (?:that|it|them|the \w+) (?:wrong|mixed|backwards|muddled|confused)|"
    r"that's (?:wrong|not right|incorrect|old)|(?:mix\w*|muddl\w*) (?:\w+ ){0,3}up|"
    r"muddle[ds]?|confus(?:ed|ing) (?:\w+ ){0,2}(?:with|them)|wasn't thinking|fat fingers?|"
    r"did i say|i said \w+ but|should(?:'ve)? (?:have )?(?:be|been|read|said|say)(?= )|"
    r"not (?:thinking|awake)|i (?:always|keep) (?:flip|mix|swap|confus|get)\w*|i lied|"
    r"(?:missed|forgot|dropped|left out|swapped|transposed) (?:a|the|two|one) "
    r"(?:letter|digit|number|zero|dot|figure)s?)\b",
    re.IGNORECASE,
)
_ADMITS_HAN = re.compile(
    r"(?<![没不])(?:[说打写记搞弄讲看算发填念数认输按听选][错漏串混反岔]|[打写念说看算记]成了?|口误|"
    r"手误|笔误|手滑|"
    r"嘴瓢|口胡|更正|纠正|改口|修正|"
    r"[少多漏][写打说算填数输]了?|(?:漏|少|多)了[一个两]{1,2}(?:字|零|位|数)|写少|写多|"
    r"糊涂|老搞混|搞混|记混|弄混|写反|说反|看岔|眼花|脑子(?:短路|抽|进水|瓦特)|"
    r"(?:刚才|刚刚|前面|上面|上一?[条句])(?:那[条句个]|说的|写的|我说的|打的|的|发的)?(?:别算|不算|作废|"
    r"不对|有误|不准|忽略|错了|撤回|当没)|说的不(?:准|对)|别算|作废|输入法|"
    r"我是想?说|我(?:想说|指)的是|才对|准确(?:地|来)?[说讲]|确切(?:地|来)?[说讲]|啊?呸|不对|哦不|噢不|啊不|"
    r"应该是|不是.{1,8}[，,]?是)"
)
_HINTS = re.compile(
    r"^(?:(?:oh|ah|ok|okay|um+|uh|er+m?|hm+|argh|ugh|so|well|and|but)\b[\s,.!…-]*)*"
    r"(?:sorry|apologies|oops|whoops|hang on|hold on|hold up|wait|no|nope|nah|actually|rather|"
    r"well actually|damn|honestly\?|edit|doh|d'oh|i take that back|just checked|checked)\b|"
    r"\b(?:sorry|oops|whoops|"
    r"my bad|actually|\w+ it is)[.!]*$",
    re.IGNORECASE,
)
_HINTS_HAN = re.compile(
    r"^[哦啊呃额嗯唉哎诶哎呀]*[，,\s]*(?:抱歉|不好意思|对不起|等等|等下|等一下|慢着|不不|不是|错|其实|"
    r"sorry|Sorry|哎呀|糟|翻了|查了|核对|确认了)|(?:原来是|其实是)"
)
_DENIES = re.compile(
    r"\bnot (?:an? |the |on |in |at )?[\"“']?(?P<en>[\w@.-]+)|不是(?P<han>[^，,。]{1,10})",
    re.IGNORECASE,
)
"""What is said not to be so: a repair of a statement that says it."""
_STARRED = re.compile(r"^\s*[*＊]\s?\S|^\s*\S{1,20}[*＊](?:\s|$)")
_ADDS = re.compile(
    r"\b(?:forgot to (?:add|mention|say)|also|(?:too|as well)(?=\s*(?:[,.!)]|$))|another|one more|"
    r"to add|in addition|"
    r"by the way|btw|plus|just kidding|thanks?|ignore me|no worries|no problem|not yet|"
    r"no idea|no need|no longer|any ?more|these days|since then|"
    r"to repeat|repeat(?:ing)? myself|again|as i said|still|yes|yep|yeah|indeed|same)\b|"
    r"再说一[遍次]|重复|确实|还是|仍|没变|一样|"
    r"忘了?[说讲加提]|忘记[说讲加提]|也|另外|还有|补充|开玩笑|谢谢|不用|没[有]?[打写说记填搞弄]?错|没问题|"
    r"不会错|对的|是的|不[再]",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？]\s*$")
_ASKS_BARE = re.compile(
    r"(?:what|which|how|where|when|who|why|any|best|recipe|remind|ideas)\b|"
    r"(?:can|could|do|does|did|should|is|are|will|would) (?:i|you|we|they|he|she|it|that|this|the|"
    r"there)\b|.*(?:吗|呢|怎么|多少|什么|哪|如何|推荐|几点)",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[A-Za-zÀ-ÿ][\w'’&-]*|\d+")
_COMMON = listed(
    "a an and are as at be but by did do for from get go got had has have he her his i i'm im "
    "in is it it's its just me my no not of off on or our she so than that that's the their "
    "them then they this to too up was we we're we've were what when who with you your say said "
    "saying meant mean sorry wait actually oops always those these really now one name wrong am "
    "i've thing like lol haha"
)
"""Words that two messages share without being about one thing."""
_HAN_RUN = re.compile("[\u4e00-\u9fff]{2,}")
_HAN_COMMON = re.compile("[的了是在我你他她它我们这那就都也不没有说错写打记刚才个一应该其实抱歉]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A message that takes back an earlier one."""

    text: str
    strength: Strength
    """Whether it admits a slip; or only opens as a correction does, or denies something: that
    alone is not enough."""
    denied: str = ""
    """A word that it says was not the right one."""
    values: sorts.Values


def repair(text: str) -> Repair | None:
    """Return what a message takes back; `None` if it takes nothing back.

    >>> repair("Typo! Four bedrooms").strength, repair("I have four bedrooms")
    ('admits', None)
    """
    if len(text) > LONGEST or (_ASKS.search(text) and not re.match(r"[^?？]{1,12}[?？].", text)):
        return None
    strength = _strength(text)
    denied = _denied(text)
    if not (strength or denied) or _ADDS.search(text):
        return None
    return Repair(
        text=text, strength=strength or "denies", denied=denied, values=sorts.values(text)
    )


def _denied(text: str) -> str:
    """Return the word that is said not to be so, where little else is said."""
    found = _DENIES.search(text) if len(text) <= LONGEST_DENIAL else None
    return (found["en"] or found["han"]).lower() if found else ""


def _strength(text: str) -> Strength | None:
    if _STARRED.search(text):
        return "admits"
    if text.isascii():
        if _ADMITS.search(text):
            return "admits"
        return "hints" if _HINTS.search(text) else None
    spoken = text.replace("’", "'")
    if _ADMITS_HAN.search(spoken) or _ADMITS.search(spoken):
        return "admits"
    return "hints" if _HINTS_HAN.search(spoken) or _HINTS.search(spoken) else None


def fits(made: Repair, stated: str) -> bool:
    """Whether a repair gives another value of a sort that a statement has, or names its words.

    >>> fits(repair("scratch that, 42"), "Shoe size 43")
    True
    """
    if _says(stated, made.denied):
        return True
    if made.strength == "denies":
        return False
    known = sorts.values(stated)
    if sorts.another(known, made.values):
        return True
    if made.strength == "hints":
        return False
    if known and all(made.values.get(sort) == told for sort, told in known.items()):
        return False
    return in_common(made, stated) > 0


def _says(stated: str, denied: str) -> bool:
    """Whether a statement has the word that is denied, as a word of its own."""
    if not denied or denied in _COMMON:
        return False
    if not denied.isascii():
        return denied in stated
    return re.search(rf"(?<!\w){re.escape(denied)}(?!\w)", stated, re.IGNORECASE) is not None


def in_common(made: Repair, stated: str) -> int:
    """Return how many telling words a repair shares: what it takes back, or what that is of."""
    words = {word.lower() for word in _WORDS.findall(made.text)} - _COMMON
    pairs = {run[i : i + 2] for run in _HAN_RUN.findall(made.text) for i in range(len(run) - 1)}
    shared = words & {word.lower() for word in _WORDS.findall(stated)}
    told = [pair for pair in pairs if pair in stated and not _HAN_COMMON.search(pair)]
    return len(shared) + len(told)


def asks(text: str) -> bool:
    """Whether a message only asks something."""
    return bool(_ASKS.search(text)) or bool(_ASKS_BARE.match(text))
