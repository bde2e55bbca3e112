"""From an English message to the one claim that it makes of a slot, if it makes one."""

from __future__ import annotations

import re
from dataclasses import replace

from lamina.recall.analysis import terms
from lamina.strategies.supersession import english_habits, known_names
from lamina.strategies.supersession.claims import ANY, Claim
from lamina.strategies.supersession.known_names import listed
from lamina.strategies.supersession.slots_english import Rule, rules_for
from lamina.strategies.supersession.values import accepted

_OPENER = re.compile(
    r"(?:well|oh|ok|okay|so|hey|hi|hello|btw|by the way|fyi|for the record|you know|guess what|"
    r"just so you know|(?:(?:a |some )?(?:big|quick|small|little|great|good|exciting|personal|life|"
    r"fun|happy) )*(?:news|update|announcement|fact)(?: for you| everyone| from me| on my side| "
    r"here)?|news flash|heads up|"
    r"reminder|just a (?:quick )?(?:note|update|heads[- ]up)|turns out|as of (?:now|today|"
    r"(?:this|last) "
    r"(?:week|month|year))|and|also|anyway|honestly|yes|yeah|yep|hmm+|um+|uh|haha|finally|lol|"
    r"these days|nowadays|currently|right now|at the moment|now|today|by now|in other news|"
    r"you may remember that|remember,?|one more thing|please note(?: that)?|note(?: that)?|"
    r"but|then|last (?:week|month|year|summer|winter|spring|autumn|fall|weekend)|yesterday|"
    r"(?:a few|two|three|several|some|a couple of) (?:days|weeks|months|years) ago|"
    r"in (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"since (?:last )?\w+|from now on|after (?:a|the|my|our) [\w ]{3,30},)"
    r"(?:\s*[,:!.;–—-]+\s*|\s+)",
    re.IGNORECASE,
)
CORRECTS = re.compile(
    r"(?:actually|(?:small |quick |a |one )?correction|no wait|no(?=\s*[,.!;:–—-])|wait|wait no|"
    r"sorry|oh sorry|"
    r"my (?:mistake|bad|apologies)|apologies|oops|whoops|scratch that|strike that|i misspoke|"
    r"(?:i|what i said) (?:was|were) (?:wrong|mistaken)(?: earlier| before)?|"
    r"i (?:made a mistake|got that wrong|said that wrong|mixed (?:that|it|this) up)|"
    r"to correct myself|let me correct (?:that|myself)|i (?:need|have) to correct myself|edit|"
    r"i meant(?: to say)?(?: that)?|i mean|i should have said|what i meant (?:was|is)(?: that)?|"
    r"that's not right|that (?:was|is) wrong|that wasn't right|not quite)"
    r"(?:\s*[,:!.;–—-]+\s*|\s+|$)",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"[,\s]+(?:now|nowadays|these days|today|currently|at the moment|right now|at present|again|"
    r"instead|any ?more|any longer|for good|permanently|from now on|as of (?:now|today|(?:this|"
    r"last)"
    r" (?:week|month|year))|actually|after all|i meant|sorry|my (?:mistake|bad)|though)$",
    re.IGNORECASE,
)
_PLAIN_TAIL = re.compile(
    r"[,\s]+(?:by the way|btw|already|officially|really|indeed|in fact|you know|haha|lol|"
    r"if you didn't know|(?:ever )?since(?: (?:last |early |late )?[\w ]{3,20})?|for work|"
    r"for (?:my|the|a) (?:new )?(?:job|studies|work|degree)|because of (?:my )?\w+(?: \w+)?|"
    r"(?:and|so|but) (?:i|we)(?: really| absolutely| just)? (?:love|like|enjoy|adore) (?:it|that)"
    r"(?: here| there)?(?: so much| a lot| very much)?|"
    r"and (?:it's|it is|it feels) (?:\w+ )?(?:great|lovely|wonderful|amazing|good|nice|fun))$",
    re.IGNORECASE,
)
_PAST_TAIL = re.compile(
    r"[,\s]+(?:(?:just |only )?(?:last|this) (?:week|weekend|month|year|summer|spring|autumn|fall|"
    r"winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|yesterday|today|"
    r"this morning|recently|(?:about |just )?(?:a|one|an|a few|two|three|four|five|six|several|"
    r"some|"
    r"a couple of|\d+) (?:day|week|month|year)s? ago|(?:earlier|late) (?:this|last) (?:week|month|"
    r"year)|(?:back )?in (?:early |late |mid-?)?(?:january|february|march|april|may|june|july|"
    r"august|september|october|november|december|spring|summer|autumn|fall|winter|(?:19|20)\d\d)"
    r"(?: (?:19|20)\d\d)?|on (?:the )?(?:\w+ \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?"
    r"(?: of)? \w+|\w+day)|with (?:great|much) \w+)$",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:(?:^|,)\s*(?:and )?(?:not|no longer)|\s+and not|,?\s+(?:rather than|instead of))(?: in| "
    r"at| on| for| the| a| an)* "
    r"(?P<old>[^,]{1,40})$",
    re.IGNORECASE,
)
_BLOCKED = re.compile(
    r"\b(?:if|unless|would|could|should|might|may be|maybe|perhaps|probably|wish\w*|hop(?:e|es|"
    r"ing)|"
    r"want\w*|plan\w*|(?<!stopped )(?<!quit )going to|gonna|will|won't|about to|think\w*|"
    r"consider\w*|dream\w*|imagin\w*|"
    r"suppos\w*|almost|nearly|once|previously|formerly|until|till|temporar\w*|for now|for the time|"
    r"says?|said|told|asks?|asked|heard|guess|believe|pretend\w*|whether|or|either|both|another|"
    r"second|part[- ]time|(?:on|at)(?: the)? weekends?|sometimes|ex|joking|kidding|when|while|"
    r"let's|never|"
    r"(?:as|like) a (?:child|kid|student|teen\w*)|back then|at the time|in those days|in theory)\b|"
    r"'(?:ll|d)\b",
    re.IGNORECASE,
)
_NOT_OTHERS = (
    r"(?!(?:sister|brother|mother|father|mom|mum|dad|son|daughter|kid|child|friend|uncle|"
    r"aunt|cousin|neighbou?r|parent|grand\w+|colleague|ex)s?\b)"
)
_CONDITIONAL = re.compile(r"\b(?:if|unless|would|when|wish|once)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till)\b", re.IGNORECASE)
_STARTS = re.compile(
    r"(?:i|we|im|i'm|i've|we're|we've|they|home)\b|the (?!\w+ of\b)|"
    rf"(?:my|our) {_NOT_OTHERS}|"
    rf"{english_habits.OWNER} (?=\w)|"
    r".{1,60}\b(?:is|has become|became)\b.{0,20} (?:my|our|where)\b",
    re.IGNORECASE,
)
"""How a clause begins that claims something of the speaker or of an event."""
_WILL_BE = re.compile(r"(?<=\w)(?:'ll| will| is going to| should) be ", re.IGNORECASE)
"""Of an event a future tells no plan but the time that it is set on."""
_USED_TO = re.compile(r"(?:i|we|it|my .+) (?:used to|lived|worked|was|were|had)\b.*", re.IGNORECASE)
_CLAUSES = re.compile(
    r"\s*[;:–—]\s*|\s+-\s+|\s*,\s*(?:and |but |so |then |because |since )?|"
    r"\s+(?:but|because|so|although|though)\s+|\s+and\s+(?=(?:i|i'm|i've|we|my|now|it's|moved|"
    r"relocated|joined)\b)",
    re.IGNORECASE,
)
_SUBJECTLESS = re.compile(
    r"^(?:live|living|work|working|drive|study|moved|relocated|joined|bank)\b", re.I
)
"""How a clause goes on whose subject stands in the one before: "I left Paris and now live in …"."""
_CHEERS = re.compile(
    r"(?:(?:and )?(?:i|we)(?:'m|'re| am| are)?(?: (?:so|very|really|quite|just|absolutely|already|"
    r"still))* (?:love|like|enjoy|adore|happy|excited|glad|thrilled|proud|relieved)"
    r"(?: it| that| this)?(?: here| there| already| so far| about (?:it|that))?(?: so much| a "
    r"lot)?|"
    r"(?:it|that)(?:'s| is| was| feels)(?: (?:so|very|really|just|a))* \w+|"
    r"(?:so|very|really) \w+|thanks?(?: you)?(?: \w+){0,3}|(?:please )?(?:keep that in mind|"
    r"remember (?:that|this|it)|update (?:that|this|it|your \w+)|make a note(?: of (?:it|that))?|"
    r"note (?:that|it) down|don't forget)|just so you know|\w+|my (?:mistake|bad)|"
    r"(?:i|we) (?:was|were) (?:wrong|mistaken)(?: \w+)?|(?:i|we) mis\w+(?: \w+)?)",
    re.IGNORECASE,
)
_SAME_NOUN = {
    "color": "colour", "movie": "film", "number": "phone number", "phone": "phone number",
    "mobile": "phone number", "cell": "phone number", "mobile number": "phone number",
    "cell number": "phone number", "cellphone number": "phone number", "mail": "email",
    "telephone number": "phone number", "email address": "email", "e-mail": "email",
    "e-mail address": "email", "home address": "address", "zip code": "zip", "puppy": "dog",
    "kitten": "cat", "bunny": "rabbit", "bicycle": "bike", "computer": "laptop", "gp": "doctor",
    "line manager": "boss", "manager": "boss", "supervisor": "boss", "landlady": "landlord",
    "shoe size": "size", "motorcycle": "motorbike", "bank provider": "bank", "pay": "salary",
    "wage": "salary",
}  # fmt: skip
"""Other words for what a slot is of; "phone" stays a thing where its value is one."""
_PHONE = re.compile(r"\+?[\d\s()./-]{5,}")
_NO_TOWN = listed("fear sin hell peace poverty town tears bed limbo dorms hope halls luxury")
"""What those say to live in, or to be moved to, who write without capitals and mean no town."""
_TRIED_TAILS = 4
LONGEST_TAIL = 50
"""Characters from the end within which a tail begins."""
_BEGINS = re.compile(r"(?:i|we|im)\b", re.IGNORECASE)
LONGEST_CLAUSE = 160
"""Characters; what is longer says more than one thing."""


MAY_CLAIM = re.compile(
    rf"\b(?:i|we|i['m]\w*|we'\w+|(?:my|our) {_NOT_OTHERS}\w+)\b|\bhome is\b|"
    r"(?:\bthe\b|\w's ).*(?:\d|day\b|noon|midnight|tomorrow|"
    r"january|february|march|april|may\b|june|july|august|september|october|november|december)|"
    r"^(?:live|work|moved)",
    re.IGNORECASE,
)
"""What a sentence holds that claims something."""


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence."""
    return [part.strip() for part in _CLAUSES.split(sentence) if part and part.strip()]


def opened(text: str) -> tuple[str, bool]:
    """Return a clause without the words that only open it, and whether they correct something."""
    corrects = False
    for _ in range(6):
        found = CORRECTS.match(text)
        corrects = corrects or found is not None
        found = found or _OPENER.match(text)
        if found is None or found.end() == 0:
            break
        text = text[found.end() :]
    return text, corrects


def claims_of(sentence: str) -> tuple[list[Claim], bool]:
    """Return the claims of a sentence, and whether it says nothing else."""
    whole, corrects = opened(sentence.rstrip(" .!…").strip())
    if not MAY_CLAIM.search(whole):
        return [], is_filler(whole)
    found = claim(whole, corrects=corrects)
    if found:
        return [found], True
    claims, alone = [], True
    for part in clauses(whole):
        text, marks = opened(part)
        text = _SUBJECTLESS.sub(r"I \g<0>", text)
        each = claim(text, corrects=marks | corrects)
        if each:
            claims.append(each)
        else:
            alone = alone and is_filler(text)
    return ([] if claims and _CONDITIONAL.search(whole) else claims), alone


def is_filler(text: str) -> bool:
    """Whether a clause adds nothing to a claim: a cheer, a request to remember, how it was."""
    return not text or bool(_CHEERS.fullmatch(text) or _USED_TO.fullmatch(text) or denies(text))


def denies(text: str) -> str:
    """Return the value that a clause denies: "not Paris"; "" if it is no such clause."""
    found = _DENIED.fullmatch(text)
    return found["old"] if found else ""


def claim(text: str, *, corrects: bool = False) -> Claim | None:
    """Return what one clause claims.

    >>> claim("I live in Rome now").value, claim("I would live in Rome")
    ('Rome', None)
    """
    if len(text) > LONGEST_CLAUSE or not _STARTS.match(text):
        return None
    found = _found(text, marked=corrects)
    told = _UNTIL.sub("to", text) if found and found.moved else text
    blocked = found and _BLOCKED.search(_WILL_BE.sub(" is ", told, count=1))
    return None if blocked else found


def _found(text: str, *, marked: bool) -> Claim | None:
    """Return what a clause claims, its tails taken off one by one."""
    denied, past = "", False
    for _ in range(_TRIED_TAILS):
        cut = _DENIED.search(text)
        if cut and not cut.group().lower().lstrip(" ,").startswith("no longer "):
            text, denied, marked = text[: cut.start()], cut["old"], True
        found = _read(text, past=past)
        if found:
            return replace(found, marked=found.marked or marked, denied=found.denied or denied)
        tail, what = _tail(text)
        if tail is None:
            break
        text, marked, past = text[: tail.start()], marked or what == "mark", past or what == "past"
    return english_habits.claim(text, marked=marked, past=past) if _BEGINS.match(text) else None


def _tail(text: str) -> tuple[re.Match[str] | None, str]:
    """Return what stands at the end of a clause beside its claim, and what it tells."""
    for what, form in (("mark", _MARK), ("past", _PAST_TAIL), ("plain", _PLAIN_TAIL)):
        found = form.search(text, max(0, len(text) - LONGEST_TAIL))
        if found:
            return found, what
    return None, ""


def _read(text: str, *, past: bool) -> Claim | None:
    """Return what the first rule says that matches a clause.

    Args:
        text: A clause.
        past: Whether a past time stood at its end: then it tells of something that happened.
    """
    for rule in rules_for(text):
        found = rule.form.fullmatch(text) if rule.past or not past else None
        value = _value(found, rule) if found else ""
        if found and value:
            return _claim(rule, found, value)
    return None if past else english_habits.event(text)


def _value(found: re.Match[str], rule: Rule) -> str:
    """Return the value, if it can be one; a name after "from" must be one too."""
    old = found.groupdict().get("old") or ""
    value = found["v"].strip()
    if rule.slot == ANY:
        return old if accepted(old, rule.kind) and accepted(value, rule.kind) else ""
    if _MARK.search(f" {found.groupdict().get('n') or ''}"):
        return ""
    if rule.slot == "code" and _is_phone(found["n"]) and not _PHONE.fullmatch(value):
        return ""
    if rule.kind == "place" and found.string == found.string.lower():
        value = value.title() if value not in _NO_TOWN else ""
    return value if accepted(value, rule.kind) else ""


def _is_phone(noun: str) -> bool:
    return _SAME_NOUN.get(noun.lower()) == "phone number" or noun.lower() == "phone number"


def _claim(rule: Rule, found: re.Match[str], value: str) -> Claim:
    groups = found.groupdict()
    place = rule.kind == "place"
    return Claim(
        slot=_slot(rule, groups.get("n") or ""),
        value=_plain_place(value) if place else value,
        denied="" if rule.slot == ANY else groups.get("old") or "",
        ends=rule.ends or rule.slot == ANY,
        marked=rule.marked or bool(re.search(r"\bnow\b", found.group(), re.IGNORECASE)),
        fixed=rule.fixed,
        level=known_names.level_of(_plain_place(value)) if place else "",
    )


def _plain_place(value: str) -> str:
    """Return "Rome" for "Rome, Italy"."""
    return value.split(",", maxsplit=1)[0].strip()


def _slot(rule: Rule, noun: str) -> str:
    told = " ".join(noun.casefold().split())
    same = _SAME_NOUN.get(told, told) if rule.slot not in ("thing",) else told
    if rule.slot == "favourite":
        same = " ".join(sorted(terms(same))) or same
    if same in ("employer", "company"):
        return "employer"
    return f"{rule.slot} {same}".strip()
