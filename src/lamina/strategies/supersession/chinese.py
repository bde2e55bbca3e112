"""From a Chinese message to the one claim that it makes of a slot, if it makes one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from lamina.strategies.supersession import known_names, moments
from lamina.strategies.supersession.claims import ANY, Claim
from lamina.strategies.supersession.slots_chinese import BRANDS, RULES, TITLES, Check, Rule

_OPENER = re.compile(
    r"(?:对了|哦|嗯|啊|哈哈|嘿|那个|顺便说一下|顺便一提|告诉你一?个?(?:好消息|消息|事)?|好消息|"
    r"跟你说|说一下|"
    r"更新一下|提醒一下|你知道吗|话说|另外|不过|但是?|所以|而且|然后|后来|最近|现在|目前|如今|今年|"
    r"上个?月|上周|"
    r"去年|昨天|今天|前几天|前阵子|年初|从(?:今天|现在|这个?月|上个?月|下个?月)(?:起|开始)|终于|"
    r"因为[^，,]{1,8})"
    r"[\s，,：:！!。、]*"
)
CORRECTS = re.compile(
    r"(?:其实|更正一?下?|纠正一?下?|不对|我?(?:刚才|刚刚|之前|上次)?(?:说错|记错|打错|写错|搞错|"
    r"弄错|讲错)了?|口误|"
    r"抱歉|不好意思|对不起|等等|等一下|我的意思是|我是说|我想说的是|准确地?说|"
    r"应该说)(?:是)?[\s，,：:！!。、]*"
)
_BLOCKED = re.compile(
    r"如果|要是|假如|万一|想(?!法)|希望|打算|计划|准备|可能|也许|或许|大概|说不定|考虑|曾经?|以前|"
    r"小时候|过去|"
    r"之前|那时|当年|原来|原本|本来|听说|据说|他说|她说|[吗呢？?]|什么|哪|谁|怎么|梦|假装|暂时|"
    r"临时|出差|旅游|旅行|"
    r"差点|快要|将要|即将|将来|以后|要不|或者|还是.+还是|和.+都|也(?:喜欢|在|住|是|有)|周末|有时|"
    r"偶尔|另一|第二|前任|"
    r"开玩笑|讲座|的时候"
)
_BEFORE = re.compile(r".*(?:以前|之前|原来|原本|本来|过去|曾经?|去年|当时).*|.*不(?:住|在).*了")
_CHEERS = re.compile(
    r"(?:真|很|太|好|非常|特别|挺|超级?)*(?:开心|高兴|喜欢|不错|棒|好|兴奋|激动|满意|舒服|方便|"
    r"期待|感觉)"
    r"[\u4e00-\u9fff]{0,4}|(?:请|麻烦)?(?:你)?(?:帮我)?(?:记一?下|记住|记得|更新一?下|改一?下|"
    r"别记错)了?(?:哦|啊|吧|一下)*"
    r"|谢谢你?|哈+|嗯+|你好|告诉你一声|说一声|跟你说一声|感觉[\u4e00-\u9fff]{1,6}|不是[^，,]{1,12}|"
    r".{0,2}"
)
_SPLIT = re.compile(r"[，,；;。！!\n]+|——|…+")
_TAIL = re.compile(
    r"(?:了|啦|哦|啊|呀|呢|哈|噢|喔|吧|嘛|~|～|的|\s)+$|(?:，|,)?(?:好几年|一段时间|很久|\d+年|"
    r"[一二两三四五]年|半年)了$"
)
_NOT = re.compile(r"(?:而)?(?:不是|并非|非)(?P<old>.{1,15})")
_CONTRAST = re.compile(r"我们?(?:并)?不是(?P<old>[^，,]{2,15})[，,]\s*(?:而)?是(?P<v>[^，,]{2,15})")
_LIKES = r"喜欢|爱|讨厌|害怕|怕|支持|相信"
_VERBS = (
    r"喝|吃|抽|玩|打|踢|学习|学|练习|练|看|听|用|养|跑|游|去|骑|弹|订|写|画|跳|上|做|穿|坐|开|熬|"
    r"点|追|有|戴|逛|"
    r"赌|爬|收集|熬夜"
)
_OFTEN = (
    r"(?:每天|天天|经常|常常|平时|总是|一直|很|非常|特别|挺|超|最近|现在|目前|已经|也|都|真的|早上|"
    r"晚上|每周[一二三四五六日天]?|每个?周末|"
    r"从来|开始|又|重新|再次|又开始|每天早上|每天晚上|每晚|每周[一二三四五六日])*"
)
_DOES = re.compile(
    rf"我们?(?P<often>{_OFTEN})(?P<verb>(?:{_LIKES})?(?:{_VERBS})?)"
    rf"(?P<what>[\w\u4e00-\u9fff]{{1,10}})"
)
_NO_LONGER = re.compile(
    rf"我们?{_OFTEN}(?:(?:再也|再)?不再?|没再|停止|放弃)(?:去)?(?P<verb>(?:{_LIKES})?(?:{_VERBS})?)"
    r"(?P<what>[\w\u4e00-\u9fff]{0,10}?)(?P<over>了)?"
)
_QUIT = re.compile(
    r"我们?(?:已经|最近|终于|刚刚?|成功|上个?月|去年|现在|目前|早就)*(?:戒掉?|"
    r"戒)了?(?P<what>[\u4e00-\u9fff]{1,5}?)了?"
)
_QUIT_IT = re.compile(
    r"我们?(?:已经|最近|终于|刚刚?)*把(?P<what>[\u4e00-\u9fff]{1,5})(?:给)?戒掉?了"
)
_NOT_THERE = re.compile(
    r"我们?(?:现在|目前|已经|早就)*(?:不|不再|没)(?:住)?在(?P<v>.+?)(?P<what>住|生活|工作|上班)?了?"
)
_EVENT = re.compile(
    r"(?:我们?的?|咱们的?|我和[\u4e00-\u9fff]{1,4}的|"
    r"公司的?)?(?P<n>[\u4e00-\u9fffA-Za-z]{1,10}?)(?:的?时间|日期)?"
    r"(?P<now>现在|目前|最后|最终|其实|应该)?(?:从(?P<old>.+?))?"
    r"(?:(?P<moved>(?:已经)?(?:被|又|临时)?(?:改签|改期|改|推迟|延期|延|提前|挪|调整|调|换|移|推后|"
    r"顺延)(?:到|成|在|为|至)了?)|"
    r"(?:是|在|定在|安排在|约在|定于|改为|将在|会在|要在|为|约的是|订的是|订在)(?:了)?)(?P<v>.+?)"
    r"(?P<acts>开始|举行|开|出发|起飞|进行|见面|截止|上)?"
)
_MOVED_IT = re.compile(
    r"(?:我们?|公司|老师|老板|领导|医院|对方|他们)?(?:已经|刚刚?|"
    r"又)?把(?P<n>[\u4e00-\u9fffA-Za-z]{1,10}?)(?:从(?P<old>.+?))?"
    r"(?:改|推迟|延|提前|挪|调整|调|换|移|推后)(?:到|成|在|为|至)了?(?P<v>.+?)"
)
_AMOUNT = re.compile(
    r"[约\d一二三四五六七八九十百千万两零.,半]+(?:公斤|斤|千克|kg|厘米|cm|米|元|块|万|"
    r"块钱|欧元?|美元|一个月|码|号|岁|每月|/月|平米?|平方米?)*"
)
_NO_PLACE = re.compile(
    r"[一新楼层房屋这那哪里边旁\d]|公寓|宿舍|学校|公司|附近|隔壁|父母|朋友|家|酒店|宾馆|郊区|"
    r"市中心|对面|小区|一起|"
    r"部门|组|团队|医院|单位|外地|乡下|老城"
)
_NO_ORG = re.compile(
    r"^(?:一|这|那|某|新|另|个)|^(?:公司|单位|家|医院|学校|银行|工厂|超市|餐厅|饭店|大学|中学|小学|"
    r"外企|国企|私企|"
    r"互联网|创业公司|初创公司|外面|办公室|部门|市中心|郊区|线上|现场|外地|本地|手机|电脑|座位|"
    r"衣服|频道|话题)$|新的|这里|那里|"
    r"[，,的]"
)
_NO_PERSON = re.compile(r"[的很是个在了们不]|人$|^(?:女|男|一|谁|这|那|新)")
_NO_FREE = re.compile(r"[，,？?]|和|跟|或|坏|旧|丢|不见|关门|什么|这|那|很|不|没|太|谁")
_NO_EVENT = re.compile(
    r"(?:应该|就|那|这|它|都|还|也|不|其实|地点|时间|[我你他她您它][们的]?|今天|明天|昨天|现在|"
    r"[你他她].+|.+[他她你].*"
    r"|应该.*|我.+)"
)
_SAME_NOUN = {
    "手机": "电话", "手机号": "电话", "手机号码": "电话",
    "电话号码": "电话", "电话号": "电话", "号码": "电话",
    "邮箱地址": "邮箱", "电子邮件": "邮箱", "住址": "地址",
    "微信号": "微信", "微信": "微信", "QQ": "QQ号",
    "小狗": "狗", "狗狗": "狗", "小猫": "猫",
    "猫咪": "猫", "薪水": "工资", "月薪": "工资", "收入": "工资",
    "租金": "房租", "老婆": "妻子", "老公": "丈夫",
    "女朋友": "女友", "男朋友": "男友", "爱人": "对象",
    "上司": "老板", "领导": "老板", "经理": "老板",
    "主管": "老板", "家庭医生": "医生", "颜色儿": "颜色",
    "车牌": "车牌号", "座位": "座位号", "影片": "电影", "食物": "菜", "尺码": "衣服尺码",
}  # fmt: skip


def claims_of(sentence: str) -> tuple[list[Claim], bool]:
    """Return the claims of a sentence's clauses, and whether it says nothing else."""
    if re.search(r"如果|要是|假如|希望|梦|[吗？?]$", sentence):
        return [], False
    contrast = _CONTRAST.search(sentence)
    contrasted = _contrasted(contrast) if contrast else None
    if contrast and contrasted:
        return [contrasted], not (
            opened(sentence[: contrast.start()])[0] + sentence[contrast.end() :]
        )
    claims: list[Claim] = []
    alone, corrects, goes_on = True, False, False
    for part in _SPLIT.split(sentence):
        text, marks = opened(part.strip())
        corrects = corrects or marks
        denied = _NOT.fullmatch(text)
        if denied and claims:
            claims[-1] = replace(claims[-1], denied=denied["old"], marked=True)
            continue
        found = claim(text, corrects=corrects) if text else None
        if found is None and goes_on and "我" not in text:
            found = claim(f"我{text}", corrects=corrects)
        goes_on = "我" in text
        if found:
            claims.append(found)
        else:
            alone = alone and bool(_CHEERS.fullmatch(text) or _BEFORE.fullmatch(text))
    return claims, alone


def _contrasted(told: re.Match[str]) -> Claim | None:
    """Return what "我不是搬到北京，是搬到天津" claims: the second, and that the first is denied."""
    old, new = claim(f"我{told['old']}"), claim(f"我{told['v']}", corrects=True)
    same = old and new and old.slot == new.slot
    return replace(new, denied=old.value, marked=True) if old and new and same else None


def opened(text: str) -> tuple[str, bool]:
    """Return a clause without the words that only open it, and whether they correct something."""
    corrects = False
    for _ in range(5):
        found = CORRECTS.match(text)
        corrects = corrects or found is not None
        found = found or _OPENER.match(text)
        if found is None or found.end() == 0:
            break
        text = text[found.end() :]
    return text, corrects


def claim(text: str, *, corrects: bool = False) -> Claim | None:
    """Return what one clause claims.

    >>> claim("我搬到罗马了").value, claim("我想搬到罗马")
    ('罗马', None)
    """
    if len(text) > 50 or _BLOCKED.search(text):
        return None
    bare = _TAIL.sub("", text) or text
    found = next(_read(bare, text), None)
    marked = corrects or bool(re.search("现在|已经|如今|目前|改|换", text))
    return replace(found, marked=found.marked or marked) if found else None


def _read(bare: str, text: str) -> Iterator[Claim]:
    ended = _ending(text)
    if ended:
        yield ended
        return
    event = _event(bare)
    if event:
        yield event
    for rule in RULES:
        found = rule.form.fullmatch(bare)
        value = _value(found, rule) if found else ""
        if found and value:
            yield _claim(rule, found, value)
    habit = _habit(bare, text)
    if habit:
        yield habit


def _ending(text: str) -> Claim | None:
    """Return that somebody no longer does something, or is no longer somewhere."""
    there = _NOT_THERE.fullmatch(text)
    if there and text.endswith("了"):
        return _left(there["v"], there["what"] or "")
    quit_ = _QUIT.fullmatch(text) or _QUIT_IT.fullmatch(text)
    if quit_:
        return _quit(quit_["what"])
    found = _NO_LONGER.fullmatch(text)
    if found is None or not (found["verb"] or "停止" in text or "放弃" in text):
        return None
    over = bool(found["over"]) or "不再" in text
    key = f"{found['verb']}{found['what']}"
    if key in ("吃素", "吃素食"):
        return Claim(slot="diet", value="素", ends=True, marked=over)
    return Claim(slot=f"does {key}", value=found["what"] or "yes", ends=True, marked=over)


def _quit(what: str) -> Claim:
    smoking = {"烟": "抽烟", "酒": "喝酒", "赌": "赌博"}
    if what in smoking:
        return Claim(slot=f"does {smoking[what]}", value=what, ends=True, marked=True)
    return Claim(slot=ANY, value=what, ends=True, marked=True)


def _left(value: str, what: str) -> Claim | None:
    works = what in ("工作", "上班")
    if works and not _is_place(value):
        return Claim(slot="employer", value=value, ends=True, marked=True)
    if _accepted(value, "place") and not works:
        return Claim(slot="home", value=value, ends=True, marked=True)
    return None


def _habit(bare: str, text: str) -> Claim | None:
    found = _DOES.fullmatch(bare)
    if found is None or not found["verb"] or "不" in text or "没" in text:
        return None
    what = found["what"]
    if text.endswith("了") and not re.search("开始|又|现在|重新", found["often"]):
        return None
    if _NO_FREE.search(what) or re.search(r"[一二两三四五几\d过着完到]|个|次", what):
        return None
    return Claim(slot=f"does {found['verb']}{what}", value=what)


def _event(bare: str) -> Claim | None:
    found = _MOVED_IT.fullmatch(bare) or _EVENT.fullmatch(bare)
    if found is None:
        return None
    groups = found.groupdict()
    moment, noun = moments.read(found["v"]), found["n"]
    if moment is None or _NO_EVENT.fullmatch(noun) or moments.read(noun):
        return None
    moved = bool(groups.get("moved")) or found.re is _MOVED_IT
    return Claim(
        slot=f"event {noun.removesuffix('的')}",
        value=found["v"],
        moment=moment,
        denied=groups.get("old") or "",
        marked=moved or bool(groups.get("now")),
        moved=moved,
        fixed="生日" in noun or "纪念日" in noun,
    )


def _value(found: re.Match[str], rule: Rule) -> str:
    groups = found.groupdict()
    old = groups.get("old") or ""
    value = found["v"].strip(" 的，,。“”\"'")
    if rule.slot == ANY:
        return old if _accepted(old, "free") and _accepted(value, "free") else ""
    return value if _accepted(value, rule.check) else ""


def _claim(rule: Rule, found: re.Match[str], value: str) -> Claim:
    groups = found.groupdict()
    noun = (groups.get("n") or "").removeprefix("新")
    place = rule.check in ("place", "town")
    return Claim(
        slot=f"{rule.slot} {_SAME_NOUN.get(noun, noun)}".strip(),
        value=_plain(value, rule),
        denied="" if rule.slot == ANY else groups.get("old") or "",
        ends=rule.ends or rule.slot == ANY,
        marked=rule.marked,
        fixed=rule.fixed,
        level=known_names.level_of(value) if place else "",
    )


def _plain(value: str, rule: Rule) -> str:
    if rule.slot == "diet" and value.startswith(("素", "纯素")):
        return "素"
    return value.removesuffix("市") if rule.slot == "home" else value


def _accepted(value: str, check: Check) -> bool:
    return 0 < len(value) <= 30 and _CHECKS[check](value)


def _place(value: str) -> bool:
    return bool(re.fullmatch(r"[\u4e00-\u9fff]{2,8}|[A-Z][A-Za-z ]{1,20}", value)) and (
        _is_place(value) or not _NO_PLACE.search(value)
    )


def _is_place(value: str) -> bool:
    plain = value.removesuffix("市")
    return plain in known_names.CHINESE_TOWNS or bool(known_names.level_of(value))


def _org(value: str) -> bool:
    told = re.fullmatch(r"[\w\u4e00-\u9fff&. ]{2,14}", value)
    return bool(told) and not _is_place(value) and not _NO_ORG.search(value)


def _person(value: str) -> bool:
    told = re.fullmatch(r"[\u4e00-\u9fff]{1,5}|[A-Z][a-z]+(?: [A-Z][a-z]+)?", value)
    return bool(told) and not _NO_PERSON.search(value)


def _amount(value: str) -> bool:
    return _AMOUNT.fullmatch(value) is not None


def _free(value: str) -> bool:
    return len(value) <= 12 and not _NO_FREE.search(value)


_CHECKS: dict[Check, Callable[[str], bool]] = {
    "place": _place,
    "town": _is_place,
    "org": _org,
    "title": lambda value: TITLES.fullmatch(value) is not None,
    "person": _person,
    "brand": lambda value: BRANDS.fullmatch(value) is not None,
    "code": lambda value: bool(re.search(r"\d|@|路|街|号", value)) and not _NO_FREE.search(value),
    "amount": _amount,
    "free": _free,
}
