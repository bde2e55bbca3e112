"""How certain a speaker was, told from the words: said outright, passed on, or doubted."""

from __future__ import annotations

import re

from lamina.model import Certainty

_PASSED_ON = (
    r"\b(?:i(?:'ve)? (?:just )?hear[ds]?\b(?! (?:you|from you)\b)|apparently|allegedly|supposedly|"
    r"reportedly|rumou?r has it|(?:someone|somebody|they|people|(?:he|she)|"
    r"my [a-z]+|[A-Z][a-z]+) (?:said|says|told (?:me|us)|claims?|claimed|mentioned|reckons?)\b"
    r"(?! (?:hi|hello|yes|no|goodbye)\b)|according to|word is)",
    r"(?:听说|据说|听人说|传闻|据称|據說|聽說|有人说|(?:他|她|他们|朋友|同事|妈妈|爸爸|老师)"
    r"(?:跟我|告诉我|和我)?说)",
    r"(?:らしい|だそうです|と聞い|によると)",
    r"\b(?:dicen que|al parecer|por lo visto|me dijeron|il paraît|on dit que|on m'a dit|"
    r"soi-disant|angeblich|anscheinend|ich habe gehört|man sagt|говорят|якобы|по слухам)\b",
)
_DOUBTED = (
    r"\b(?:maybe|perhaps|probably|possibly|i (?:think|guess|suppose|believe)|"
    r"i(?:'m| am) not (?:\w+ )?sure|not (?:entirely |quite )?sure|might|"
    r"if i remember (?:right|correctly)|i don't (?:really )?(?:know|remember))\b",
    r"(?:可能|也许|大概|或许|说不定|好像|似乎|不确定|应该是|我猜|也許|或許)",
    r"(?:かもしれ|たぶん|多分|おそらく|だろう|でしょう)",
    r"\b(?:quizás?|tal vez|a lo mejor|creo que|supongo|peut-être|sans doute|je crois|"
    r"je pense|vielleicht|wahrscheinlich|ich glaube|возможно|наверное|может быть|кажется)\b",
)
# "They said", with a capital or not, opens a report; a name does so only with its capital.
_HEARSAY = re.compile("|".join(_PASSED_ON).replace("[A-Z]", "(?-i:[A-Z])"), re.IGNORECASE)
_UNCERTAIN = re.compile("|".join(_DOUBTED), re.IGNORECASE)


def certainty(text: str) -> Certainty:
    """Return how certain `text` is by the words in it: cheap cues, in a few languages.

    >>> certainty("I moved to Oslo."), certainty("Maybe I'll move."), certainty("听说他搬家了")
    ('stated', 'uncertain', 'hearsay')
    """
    spoken = text.replace("’", "'")
    if _HEARSAY.search(spoken):
        return "hearsay"
    return "uncertain" if _UNCERTAIN.search(spoken) else "stated"
