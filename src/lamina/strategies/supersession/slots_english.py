"""What English statements about oneself look like when they fill a slot.

Each rule matches a whole clause. `v` is the value, `n` what the slot is of, `old` a value that is
said to be gone. A clause that says more than a rule foresees is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lamina.strategies.supersession.values import Kind

_ADVERB = (
    r"(?: (?:now|currently|presently|officially|finally|just|recently|already|actually|really|"
    r"still|nowadays|these days|permanently|since|all|fully|basically|happily))*"
)
_I = r"(?:i|we)"
_AM = r"(?:i'm|i am|im|we're|we are)"
_HAVE = r"(?:i've|i have|we've|we have|i|we)"
_MY = r"(?:my|our)(?: (?:new|current|present|latest|actual|correct|right))*"
_IS = rf"(?:'s|’s| is| are)?{_ADVERB}"
_BE = rf"(?:'s| is){_ADVERB}"
_TURNED = (
    r"(?:'s| is| has)?(?: (?:now|just|recently|actually))* "
    r"(?:changed to|become|became|changing to|been changed to|switched to|been switched to|"
    r"gone (?:up|down) to|went (?:up|down) to|increased to|been (?:raised|lowered|cut) to|"
    r"rose to|risen to|dropped to|fell to)"
)
_V = r"(?P<v>.+)"
_OLD = r"(?P<old>.+?)"
_NAMED = r"(?: is|'s)?(?: now)?(?: called| named)"
_PEOPLE = (
    r"boss|manager|supervisor|line manager|team lead|doctor|gp|dentist|therapist|landlord|landlady|"
    r"lawyer|accountant|personal trainer|trainer|coach|tutor|advis[oe]r|supervisor|mentor|wife|"
    r"husband|partner|girlfriend|boyfriend|fianc[eé]e?|flatmate|hairdresser|barber|vet|ceo|"
    r"assistant|secretary|physio|psychologist|psychiatrist|optician|"
    r"(?:\w+ )?(?:teacher|professor|instructor)"
)
_PETS = r"dog|puppy|cat|kitten|hamster|parrot|rabbit|bunny|horse|pony|turtle|tortoise|guinea pig"
_THINGS = r"car|phone|laptop|computer|bike|bicycle|camera|tablet|watch|motorbike|motorcycle|van"
_FIRMS = (
    r"bank|employer|company|gym|church|university|school|college|insurer|team|club|mosque|temple|"
    r"(?:\w+ )?(?:provider|carrier|insurance|supplier|operator)|browser|editor|text editor|"
    r"operating system|os|airline|supermarket|neighbou?rhood|airport"
)
_CODES = (
    r"(?:\w+ )?(?:phone |telephone |mobile |cell |cellphone )?number|phone|mobile|cell|"
    r"(?:\w+ )?e-?mail(?: address)?|(?:\w+ )?address|postcode|zip(?: code)?|(?:user ?name|handle)|"
    r"(?:\w+ )?(?:password|passcode|pin|code|combination|id|plate|extension)|room|seat"
)
_AMOUNTS = (
    r"age|weight|height|salary|rent|wage|pay|mortgage|commute|budget|(?:\w+ )?size|"
    r"(?:\w+ )?(?:goal|target|limit|allowance|fee)"
)
_HOURS = r"(?:bedtime|shift|alarm|lunch break|curfew)"


Subject: TypeAlias = Literal["i", "my", "any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How one kind of statement is told."""

    slot: str
    form: re.Pattern[str]
    kind: Kind = "free"
    past: bool = False
    """Whether it tells of an event, so that a past time may stand with it."""
    marked: bool = False
    """Whether it tells of a change by itself."""
    ends: bool = False
    fixed: bool = False
    """Whether the slot never changes."""
    subject: Subject = "any"
    """How its clause begins."""
    verbs: frozenset[str] = frozenset()
    """After "I" one of these words stands, adverbs left out; any, if there are none."""


def _rule(slot: str, form: str, kind: Kind = "free", flags: str = "") -> Rule:
    begins = next((begin for begin in (_HAVE, _AM, _I) if form.startswith(begin)), "")
    return Rule(
        slot=slot,
        form=re.compile(form, re.IGNORECASE),
        kind=kind,
        past="past" in flags,
        marked="marked" in flags,
        ends="ends" in flags,
        fixed="fixed" in flags,
        subject="i" if begins else "my" if form.startswith(_MY) else "any",
        verbs=_verbs(form[len(begins) :].removeprefix(_ADVERB)) if begins else frozenset(),
    )


def _verbs(form: str) -> frozenset[str]:
    """Return the words with which the rest of a rule may begin, if they are plain words.

    >>> sorted(_verbs(" (?:live|reside in) .+")), sorted(_verbs(" (?P<v>.+)"))
    (['live', 'reside'], [])
    """
    found = re.match(r" \(\?:([a-z |']+)\)(?!\?)|( [a-z]+)", form)
    if found is None or found.group().strip() == "now":
        return frozenset()
    told = (found[1] or found[2]).strip().split("|")
    words = [re.match(r"[a-z]+(?= |$)", word) for word in told]
    return frozenset(word.group() for word in words if word) if all(words) else frozenset()


_MOVE = "past marked"
_HOME = (
    _rule("home", rf"{_I}{_ADVERB} (?:live|reside|dwell){_ADVERB} in {_V}", "place"),
    _rule("home", rf"{_AM}{_ADVERB} (?:living|residing|based|settled){_ADVERB} in {_V}", "place"),
    _rule("home", rf"{_HAVE} been living in {_V}", "place"),
    _rule(
        "home",
        rf"{_HAVE}{_ADVERB} (?:moved|relocated)(?: (?:back|over|out|away|down|up|house|home|here))*"
        rf"(?: from {_OLD})?(?: back| over| down| up)? to {_V}",
        "place",
        _MOVE,
    ),
    _rule("home", rf"{_HAVE}{_ADVERB} left {_OLD} for {_V}", "place", _MOVE),
    _rule("home", rf"{_HAVE}{_ADVERB} settled(?: down)? in {_V}", "place", _MOVE),
    _rule("home", rf"{_HAVE}{_ADVERB} made {_V} (?:my|our) home", "place", _MOVE),
    _rule(
        "home",
        rf"{_MY} (?:home|house|flat|apartment|place){_BE} in {_V}",
        "place",
    ),
    _rule("home", rf"{_MY} (?:home|city|town|home city|city of residence){_BE} {_V}", "place"),
    _rule("home", rf"{_I}{_ADVERB} call {_V} (?:my |our )?home", "place"),
    _rule("home", rf"{_V}{_BE} (?:my|our)(?: new)? home", "place", "marked"),
    _rule("home", rf"{_V}{_BE} home", "place", "marked"),
    _rule("home", rf"{_V}{_BE} where (?:i|we){_ADVERB} live", "place"),
    _rule("home", rf"home{_BE} {_V}", "place"),
    _rule("birthplace", rf"{_I} (?:was|were) born in {_V}", "place", "fixed"),
    _rule("origin", rf"{_AM}{_ADVERB} (?:originally )?from {_V}", "place", "fixed"),
    _rule("hometown", rf"{_MY} home ?town{_BE} {_V}", "place", "fixed"),
)
_WORK = (
    _rule("employer", rf"{_I}{_ADVERB} work{_ADVERB} (?:at|for) {_V}", "name"),
    _rule("employer", rf"{_AM}{_ADVERB} (?:working|employed){_ADVERB} (?:at|for|by) {_V}", "name"),
    _rule("employer", rf"{_HAVE} been working (?:at|for) {_V}", "name"),
    _rule(
        "employer",
        rf"{_HAVE}{_ADVERB} (?:started|began|begun)(?: working| work| (?:a|my) (?:new )?"
        rf"(?:job|position|role))? (?:at|for|with) {_V}",
        "name",
        _MOVE,
    ),
    _rule(
        "employer",
        rf"{_HAVE}{_ADVERB} (?:changed|switched) (?:jobs|employers|companies)"
        rf"(?: from {_OLD})?(?: and| to|,)*(?: {_I})?(?: am)?(?: now)?(?: work(?:ing)?)?"
        rf"(?: at| for)? {_V}",
        "name",
        _MOVE,
    ),
    _rule(
        "employer",
        rf"{_HAVE}{_ADVERB} (?:left|quit|resigned from) (?:my job at )?{_OLD}"
        rf"(?: for| and (?:joined|started at|moved to|(?:am )?now work(?:ing)? (?:at|for))) {_V}",
        "name",
        _MOVE,
    ),
    _rule(
        "employer",
        rf"{_HAVE}{_ADVERB} (?:left my job (?:at|with)|quit my job (?:at|with)|"
        rf"resigned from|stopped working (?:at|for)) {_V}",
        "name",
        "past ends",
    ),
    _rule(
        "employer",
        rf"{_HAVE}{_ADVERB} (?:been|was|got) (?:laid off|fired|let go) (?:from|by) {_V}",
        "name",
        "past ends",
    ),
    _rule(
        "employer",
        rf"{_AM}{_ADVERB} (?:no longer|not) (?:with|at|employed (?:by|at)) {_V}",
        "name",
        "past ends",
    ),
    _rule("employer", rf"{_HAVE}{_ADVERB} joined {_V} as an? [\w ]+", "name", _MOVE),
    _rule("job", rf"{_I}{_ADVERB} work{_ADVERB} as (?:an? |the )?{_V}", "title"),
    _rule("job", rf"{_AM}{_ADVERB} working{_ADVERB} as (?:an? |the )?{_V}", "title"),
    _rule("job", rf"{_AM}{_ADVERB} (?:an? |the ){_V}", "title", "fixed"),
    _rule(
        "job",
        rf"{_HAVE}{_ADVERB} (?:been promoted to|got promoted to|was promoted to|became|become|"
        rf"got a job as|started as|retrained as|qualified as)(?: an?| the)? {_V}",
        "title",
        _MOVE,
    ),
    _rule(
        "job",
        rf"{_MY} (?:job|job title|title|role|position|occupation|profession)(?:{_BE}|{_TURNED})"
        rf"(?: an?| the| that of an?)? {_V}",
        "title",
    ),
    _rule("school", rf"{_I}{_ADVERB} (?:study|go to (?:school|college)){_ADVERB} at {_V}", "name"),
    _rule("school", rf"{_AM}{_ADVERB} (?:studying|enrolled|a student){_ADVERB} at {_V}", "name"),
    _rule("school", rf"{_HAVE}{_ADVERB} transferred(?: from {_OLD})? to {_V}", "name", _MOVE),
    _rule("major", rf"{_MY} major(?:{_BE}|{_TURNED}) {_V}"),
    _rule("major", rf"{_AM}{_ADVERB} majoring in {_V}"),
    _rule(
        "major",
        rf"{_HAVE}{_ADVERB} (?:changed|switched) (?:my )?majors?(?: from {_OLD})? to {_V}",
        "free",
        _MOVE,
    ),
)
_FAVOURITE = r"(?:favou?rite|fave|preferred|go-to)"
_OWN = (
    _rule(
        "favourite",
        rf"{_MY}(?: all-time| absolute)? {_FAVOURITE} (?P<n>\w+(?: \w+){{0,3}}?)(?:{_BE}|{_TURNED})"
        rf" {_V}",
    ),
    _rule(
        "favourite",
        rf"{_V}(?:{_BE}| has become| became) (?:my|our)(?: new| current| all-time)? {_FAVOURITE} "
        r"(?P<n>\w+(?: \w+){0,2})",
    ),
    _rule(
        "favourite",
        rf"{_MY} {_FAVOURITE} (?P<n>\w+(?: \w+){{0,3}}?) "
        r"(?:used to be|was|isn't|is not|is no longer) "
        rf"{_OLD}(?: any ?more)?(?:,| and|;)*(?: but)?(?: now)? (?:it's|it is)(?: now)? {_V}",
        "free",
        _MOVE,
    ),
    _rule("code", rf"{_MY} (?P<n>{_CODES})(?:{_BE}|{_TURNED}) {_V}", "code"),
    _rule(
        "code",
        rf"{_HAVE}{_ADVERB} changed my (?P<n>{_CODES})(?: from {_OLD})? to {_V}",
        "code",
        _MOVE,
    ),
    _rule("code",
          rf"{_HAVE}{_ADVERB} got a new (?P<n>{_CODES})[,:]? (?:it's |it is )?{_V}", "code", _MOVE),
    _rule("name of", rf"{_MY} (?P<n>{_PETS})'s name{_BE} {_V}", "person"),
    _rule("name of", rf"{_MY} (?P<n>{_PETS}){_NAMED} {_V}", "person"),
    _rule(
        "name of",
        rf"{_HAVE}{_ADVERB} renamed (?:my|our) (?P<n>{_PETS})(?: from {_OLD})?(?: to)? {_V}",
        "person",
        _MOVE,
    ),
    _rule("person", rf"{_MY} (?P<n>{_PEOPLE})(?:{_NAMED}|(?:'s name)?{_BE}) {_V}", "person"),
    _rule("person", rf"{_V}{_BE} (?:my|our)(?: new| current)? (?P<n>{_PEOPLE})", "person"),
    _rule(
        "person",
        rf"{_HAVE}{_ADVERB} (?:switched|changed) (?P<n>{_PEOPLE})s?(?: from {_OLD})? to {_V}",
        "person",
        _MOVE,
    ),
    _rule("thing", rf"{_MY} (?P<n>{_THINGS}){_BE} (?:an? )?{_V}", "name"),
    _rule(
        "thing",
        rf"{_HAVE}{_ADVERB} (?:bought|got|leased)(?: myself)? a new (?P<n>{_THINGS}), (?:an? "
        rf")?{_V}",
        "name",
        _MOVE,
    ),
    _rule("thing car", rf"{_I}{_ADVERB} drive{_ADVERB} (?:an? )?{_V}", "name"),
    _rule(
        "thing car",
        rf"{_HAVE}{_ADVERB} (?:traded in|traded|swapped|sold) my (?:old )?{_OLD} "
        rf"(?:for|and (?:bought|got)) (?:an? )(?:new )?{_V}",
        "name",
        _MOVE,
    ),
    _rule("firm", rf"{_MY} (?P<n>{_FIRMS})(?:{_BE}|{_TURNED}) {_V}", "name"),
    _rule(
        "firm",
        rf"{_HAVE}{_ADVERB} (?:switched|changed) (?:my )?(?P<n>{_FIRMS})s?(?: from {_OLD})? to "
        rf"{_V}",
        "name",
        _MOVE,
    ),
    _rule("firm bank", rf"{_I}{_ADVERB} bank{_ADVERB} (?:with|at) {_V}", "name"),
    _rule("amount", rf"{_MY} (?P<n>{_AMOUNTS})(?:{_BE}|{_TURNED}) {_V}", "number"),
    _rule("amount weight", rf"{_I}{_ADVERB} weigh{_ADVERB} {_V}", "number"),
    _rule("amount salary", rf"{_I}{_ADVERB} (?:earn|make){_ADVERB} {_V}", "number"),
    _rule("amount rent", rf"{_I}{_ADVERB} pay{_ADVERB} {_V}(?: in| for| of)? rent", "number"),
    _rule("amount size",
          rf"{_I}{_ADVERB} wear{_ADVERB} (?:a )?size (?P<v>.+?)(?: shoes)?", "number"),
    _rule("age", rf"{_AM}{_ADVERB} {_V} years old", "number"),
    _rule("age", rf"{_AM} now {_V}", "number"),
    _rule("age", rf"{_HAVE}{_ADVERB} turned {_V}", "number", _MOVE),
    _rule("age", rf"my age{_BE} {_V}", "number"),
    _rule("hour of rising", rf"{_I}{_ADVERB} (?:wake|get) up{_ADVERB} at {_V}", "clock"),
    _rule("hour of sleep", rf"{_I}{_ADVERB} go to (?:bed|sleep){_ADVERB} at {_V}", "clock"),
    _rule(
        "marital status",
        rf"{_AM}{_ADVERB} (?P<v>single|married|engaged|divorced|widowed|separated)",
    ),
    _rule(
        "marital status",
        rf"{_HAVE}{_ADVERB} (?:got|gotten|become|became) (?P<v>married|engaged|divorced|separated)",
        "free",
        _MOVE,
    ),
    _rule(
        "diet",
        rf"{_AM}{_ADVERB} (?:an? )?(?:strict )?(?P<v>vegan|vegetarian|pescatarian|omnivore)",
    ),
    _rule(
        "diet",
        rf"{_HAVE}{_ADVERB} (?:gone|went|become|became|turned)(?: an?)?(?: fully)? "
        r"(?P<v>vegan|vegetarian|pescatarian)",
        "free",
        _MOVE,
    ),
    _rule("diet", rf"{_I}(?: now)? eat (?P<v>meat) (?:again|now|these days)", "free", "marked"),
    _rule("diet", rf"{_HAVE}{_ADVERB} started eating (?P<v>meat)(?: again)?", "free", _MOVE),
    _rule("diet", rf"{_HAVE}{_ADVERB} (?:switched|changed) to a (?P<v>\w+) diet", "free", _MOVE),
    _rule("*", rf"{_HAVE}{_ADVERB} (?:switched|changed|moved) from {_OLD} to {_V}", "free", _MOVE),
    _rule("*", rf"{_HAVE}{_ADVERB} (?:replaced|swapped) (?:my )?{_OLD} (?:with|for) {_V}", "free",
          _MOVE),
    _rule("*", rf"{_HAVE}{_ADVERB} (?:given|gave) up {_OLD} (?:for|in favou?r of) {_V}", "free",
          _MOVE),
)  # fmt: skip
RULES = (*_HOME, *_WORK, *_OWN)
"""In the order in which they are tried."""


_OWN_LATER = re.compile(r"\b(?:my|our|home|where)\b", re.IGNORECASE)
_VERB = re.compile(
    rf"(?:i|we)(?:'m|'ve|'re| am| are| have)?{_ADVERB} (?P<verb>\S+)|(?P<im>im) ", re.IGNORECASE
)
_OF_SUBJECT = {
    subject: tuple(rule for rule in RULES if rule.subject == subject) for subject in ("my", "any")
}
_OF_VERB = {
    verb: tuple(r for r in RULES if r.subject == "i" and (verb in r.verbs or not r.verbs))
    for verb in {"", *(verb for rule in RULES for verb in rule.verbs)}
}


def rules_for(clause: str) -> Sequence[Rule]:
    """Return the rules that a clause may match, told by how it begins."""
    begins = clause[:4].lower()
    if begins.startswith(("my ", "our ")):
        return _OF_SUBJECT["my"]
    found = _VERB.match(clause)
    if found:
        return _OF_VERB.get((found["verb"] or "").lower(), _OF_VERB[""])
    return _OF_SUBJECT["any"] if _OWN_LATER.search(clause) else ()
