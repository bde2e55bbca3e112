"""What somebody does or does no longer, and when an event is: slots of whatever words there are."""

from __future__ import annotations

import re

from lamina.recall.analysis import terms
from lamina.strategies.supersession import moments
from lamina.strategies.supersession.claims import Claim
from lamina.strategies.supersession.known_names import listed

_ADVERB = (
    r"(?: (?:now|currently|really|just|actually|still|usually|normally|always|already|totally|"
    r"absolutely|often|regularly|mostly|generally|completely|finally|recently))*"
)
_OFTEN = re.compile(
    r"\s+(?:every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|\w+day)|"
    r"(?:once|twice|three times) a (?:day|week|month|year)|daily|weekly|a lot|very much|so much|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|regularly|again|too much)$",
    re.IGNORECASE,
)
_WHERETO = re.compile(r"^to (?:the |my )?", re.IGNORECASE)
_DOES = re.compile(
    rf"(?:i|we){_ADVERB}(?: (?P<not>don't|do not|no longer))?{_ADVERB} (?P<verb>[a-z]+)"
    r"(?: (?P<what>[\w' -]{2,40}))?",
    re.IGNORECASE,
)
_DOING = re.compile(
    rf"(?:i'm|i am|we're|we are){_ADVERB}(?: (?P<not>not|no longer))?{_ADVERB} (?P<verb>[a-z]+ing)"
    r"(?: (?P<what>[\w' -]{2,40}))?",
    re.IGNORECASE,
)
_STOPPED = re.compile(
    rf"(?:i've|i have|we've|we have|i|we){_ADVERB} (?:stopped|quit|given up|gave up) "
    r"(?P<verb>[a-z]+ing)(?: (?P<what>[\w' -]{2,40}))?",
    re.IGNORECASE,
)
_STARTED = re.compile(
    rf"(?:i've|i have|we've|we have|i|we){_ADVERB} (?:started|begun|began|resumed|taken up|took up)"
    r"(?: to)? (?P<verb>[a-z]+)(?: (?P<what>[\w' -]{2,40}))?",
    re.IGNORECASE,
)
_GAVE_UP = re.compile(
    rf"(?:i've|i have|we've|we have|i|we){_ADVERB} (?:quit|given up|gave up|gone off|went off) "
    r"(?!(?:my|the|a|an) )(?P<what>[\w' -]{3,30})",
    re.IGNORECASE,
)
_BEING = re.compile(
    rf"(?:i'm|i am){_ADVERB}(?: (?P<not>not|no longer))?{_ADVERB} (?P<what>(?:an? )?(?:allergic to|"
    r"afraid of|scared of|member of|fan of|smoker|runner|student|vegan|vegetarian|pescatarian|"
    r"single|married|engaged|unemployed|retired|pregnant|morning person|night owl)"
    r"(?: [\w' -]{2,40})?)",
    re.IGNORECASE,
)
_NO_HABIT = listed(
    "am are be been being can can't cannot could did do does don't get got had has "
    "hope know let love-to mean meant may must need see seem shall should think thought try want "
    "was went were will wish would feel felt found made met said saw told took left came bought "
    "asked heard lost won gave ran read ate spent started stopped finished decided forgot looked "
    "agree remember guess understand believe never ever not and or moved joined quit "
    "turned changed switched used also too either hardly barely rarely"
)
"""Words after "I" that are no verb of a habit, or too vague for one."""
_LIKE = {"love": "like", "enjoy": "like", "adore": "like"}
_LOOSE_OBJECT = re.compile(
    r"\b(?:you|it|that|this|them|him|her|to|how|what|why|when|where|who|and|or|but|if|because|"
    r"about|me|us|some|more|less|much|many|only|than|same|any|anything|something|nothing|too|as|"
    r"named|called|name|yesterday|tomorrow|today|tonight|last|next|ago|for|during|at|before|after|"
    r"with|without|on|in)"
    r"\b",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:'s|'ve| is| are| was| were| has| have| had| got| will be)"
    r"(?: (?:now|just|actually|going|to|be|been|being|set|scheduled|planned|due|happening))*"
)
_MOVED = r"moved|rescheduled|pushed|postponed|brought|shifted|changed|delayed|switched|bumped"
_ACTED = r"leaves?|departs?|starts?|begins?|opens?|closes?|ends?|takes? place"
_VERBS = f"{_MOVED}|{_ACTED}"
_MOVES = (
    rf"(?P<moved>(?:{_MOVED})(?: (?:up|forward|back|out))?)(?: from (?P<old>.+?))?"
    r" (?:to|until|till)"
)
_ACTS = f"(?P<acts>{_ACTED})"
OWNER = (
    r"(?!(?:it|that|this|he|she|there|here|what|who|where|when|how|why|let|one|everyone|someone|"
    r"nobody|today|tomorrow|yesterday)'s\b)(?-i:[A-Z])[\w-]*'s"
)
"""Somebody else by name, whose something it is: "Tom's birthday"."""
_EVENT = re.compile(
    rf"(?:(?:my|our|the) |(?={OWNER} ))"
    r"(?P<n>[\w'&-]+(?: [\w'&-]+){0,5}?)"
    rf"(?P<how>{_AUXILIARY}|(?: now)?(?= (?:{_VERBS})))(?: (?:{_MOVES}|{_ACTS}(?: now)?))?"
    r"(?: (?:for|on|at|in|by|the|now))* (?P<v>.+)",
    re.IGNORECASE,
)
_MOVED_IT = re.compile(
    r"(?:i|we|they|he|she|the \w+|my \w+)(?:'ve|'s| have| has| had to|)(?: just)? "
    r"(?:moved?|rescheduled?|pushed|postponed?|shifted|changed?|delayed|switched) "
    r"(?:my|our|the) (?P<n>[\w'&-]+(?: [\w'&-]+){0,4}?)(?: back| forward)?"
    r"(?: from (?P<old>.+?))? (?:to|until|till) (?P<v>.+)",
    re.IGNORECASE,
)
_TELLS_TIME = re.compile(
    r"\d|day\b|noon|midnight|morning|evening|night|tomorrow|next|o'clock|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"\b(?:at|past|to) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
    re.IGNORECASE,
)
_WAS = re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE)
_FIXED_EVENTS = re.compile(r"\b(?:birthday|anniversary|date of birth)\b", re.IGNORECASE)
_PARTS = {"start": "start", "begin": "start", "end": "end", "open": "opening", "close": "closing"}


def claim(text: str, *, marked: bool, past: bool = False) -> Claim | None:
    """Return what a clause says of a habit, a liking or a state.

    Args:
        text: A clause without tails.
        marked: Whether a word such as "any more" stood at its end.
        past: Whether a past time did: then only what began or ended counts.

    >>> claim("I gave up smoking", marked=False).ends
    True
    """
    stopped = _STOPPED.fullmatch(text)
    if stopped:
        return _habit(stopped, ends=True, marked=True)
    given_up = _GAVE_UP.fullmatch(text)
    if given_up:
        return _given_up(given_up["what"])
    started = _STARTED.fullmatch(text)
    if started:
        return _habit(started, ends=False, marked=True)
    return None if past else _state(text, marked=marked)


def _state(text: str, *, marked: bool) -> Claim | None:
    being = _BEING.fullmatch(text)
    if being:
        ends, gone = bool(being["not"]), (being["not"] or "").lower() == "no longer"
        value = _key(being["what"])
        slot = f"is {value}"
        if value in ("vegan", "vegetarian", "pescatarian"):
            slot = "diet"
        elif value in ("single", "marri", "engag"):
            return None if not ends else _ended("marital status", being["what"], marked | gone)
        return Claim(slot=slot, value=being["what"], ends=ends, marked=marked or gone)
    does = _DOING.fullmatch(text) or _DOES.fullmatch(text)
    if does is None:
        return None
    said_not = (does["not"] or "").lower()
    return _habit(does, ends=bool(said_not), marked=marked or said_not == "no longer")


def _ended(slot: str, value: str, marked: bool) -> Claim:
    return Claim(slot=slot, value=value, ends=True, marked=marked)


def _given_up(what: str) -> Claim | None:
    if _LOOSE_OBJECT.search(what):
        return None
    if what.lower().endswith("ing") and " " not in what:
        return Claim(slot=f"does {_key(what)}", value="yes", ends=True, marked=True)
    return Claim(slot="*", value=what, ends=True, marked=True)


def _habit(found: re.Match[str], *, ends: bool, marked: bool) -> Claim | None:
    verb = found["verb"].lower()
    told = _WHERETO.sub("", found["what"] or "") if verb in ("go", "going") else found["what"]
    what = _OFTEN.sub("", f" {told or ''}").strip()
    if verb in _NO_HABIT or verb.endswith("ed") or _LOOSE_OBJECT.search(what):
        return _ended_place(verb, found["what"] or "", ends=ends, marked=marked)
    if not what and not (told or marked or ends or verb in ("smoke", "drink", "vape")):
        return None
    if not what and (ends and not marked) and verb not in ("smoke", "drink", "drive", "vape"):
        return None
    if what and len(what.split()) > 4:
        return None
    key = _LIKE.get(verb, verb)
    return Claim(slot=f"does {_key(key)} {_key(what)}".strip(), value=what or "yes", ends=ends,
                 marked=marked)  # fmt: skip


def _ended_place(verb: str, what: str, *, ends: bool, marked: bool) -> Claim | None:
    """Return that somebody no longer lives or works somewhere."""
    found = re.fullmatch(r"(?:in|at|for) (?P<v>[A-Z][\w' -]*)", what)
    slot = {"live": "home", "living": "home", "work": "employer", "working": "employer"}.get(verb)
    if not (found and slot and ends and marked):
        return None
    return Claim(slot=slot, value=found["v"], ends=True, marked=True)


def _key(text: str) -> str:
    return " ".join(terms(text) or text.lower().split())


def event(text: str) -> Claim | None:
    """Return on what time a clause says that an event is.

    >>> event("the team meeting is on Friday").slot
    'event meet team'
    """
    if not _TELLS_TIME.search(text):
        return None
    found = _MOVED_IT.fullmatch(text) or _EVENT.fullmatch(text)
    if found is None:
        return None
    groups = found.groupdict()
    moment = moments.read(found["v"])
    noun = found["n"].lower()
    moved = bool(groups.get("moved")) or found.re is _MOVED_IT
    past = not moved and _WAS.search(groups.get("how") or "")
    if moment is None or past or not terms(noun) or moments.read(noun):
        return None
    act = (groups.get("acts") or "").lower().rstrip("s")
    key = " ".join(sorted({*terms(noun)}))
    part = _PARTS.get(act, "")
    return Claim(
        slot=f"event {key} {part}".strip(),
        value=found["v"],
        moment=moment,
        denied=groups.get("old") or "",
        marked=moved or bool(re.search(r"\bnow\b", groups.get("how") or "", re.IGNORECASE)),
        moved=moved,
        fixed=bool(_FIXED_EVENTS.search(noun)),
    )
