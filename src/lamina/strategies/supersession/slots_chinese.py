"""What Chinese statements about oneself look like when they fill a slot.

As in `slots_english`: each rule matches a whole clause; `v` is the value, `n` what the slot is of,
`old` a value that is said to be gone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lamina.strategies.supersession.known_names import (
    CHINESE_BRANDS,
    CHINESE_PROFESSIONS,
)

Check: TypeAlias = Literal[
    "place", "town", "org", "title", "person", "brand", "code", "amount", "free"
]

_I = r"(?:我们?|咱们?|俺|本人)(?:全家|一家)?"
_ADVERB = (
    r"(?:现在|目前|如今|已经|刚刚|刚|最近|终于|又|就|都|一直|还是|还|正式|上个?月|上周|去年|今年|"
    r"这个?月|"
    r"昨天|前天|今天|前不久|不久前|后来|早就|早已|其实|后面|年初|年底|春天|夏天|秋天|冬天|当时|"
    r"于是|"
    r"[\d一二三四五六七八九十两]+(?:月份?|年|天前|周前|个月前|年前|个星期前))*"
)
_IS = r"(?:现在|目前|已经|如今|其实|应该|的确|确实)*(?:是|为|叫做|叫|就是)"
_TURNED = (
    r"(?:现在|目前|已经|最近|刚刚|刚)*(?:改成|换成|变成|改为|变为|换到|改叫|改名叫|改名为|更新为|"
    r"换为|"
    r"涨到|降到|升到|减到|增加到|掉到|跌到|涨成|长到|瘦到|胖到|调到)了?"
)
_MY = r"(?:我们?的?|我们?家的?|咱们?家?的?|本人的?)(?:新的?|现在的?|目前的?|家的?)*"
_V = r"(?P<v>.+?)"
_OLD = r"(?P<old>.+?)"
_END = r"了?"
_PEOPLE = (
    r"老板|上司|领导|经理|主管|家庭医生|医生|牙医|房东|律师|会计|私教|教练|"
    r"[\u4e00-\u9fff]{0,3}老师|导师|"
    r"女朋友|男朋友|女友|男友|老婆|老公|妻子|丈夫|对象|爱人|未婚妻|未婚夫|室友|心理医生|理发师|"
    r"班主任|助理|秘书"
)
_PETS = r"狗狗|小狗|狗|猫咪|小猫|猫|仓鼠|鹦鹉|兔子|乌龟|马|金毛|柯基|哈士奇"
_CODES = (
    r"(?:新)?(?:[\u4e00-\u9fff]{0,3}?)(?:手机号码?|电话号码?|手机|电话|号码|邮箱地址|邮箱|电子邮件|"
    r"地址|住址|"
    r"微信号?|QQ号?|qq号?|账号|密码|车牌号?|门牌号|房间号|工号|学号|座位号?|邮编|身份证号|护照号)"
)
_AMOUNTS = (
    r"体重|身高|年龄|月薪|工资|薪水|年薪|收入|房租|租金|鞋码|尺码|衣服尺码|预算|"
    r"[\u4e00-\u9fff]{0,3}目标"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How one kind of statement is told."""

    slot: str
    form: re.Pattern[str]
    check: Check = "free"
    marked: bool = False
    ends: bool = False
    fixed: bool = False


def _rule(slot: str, form: str, check: Check = "free", flags: str = "") -> Rule:
    return Rule(
        slot=slot,
        form=re.compile(form, re.IGNORECASE),
        check=check,
        marked="marked" in flags,
        ends="ends" in flags,
        fixed="fixed" in flags,
    )


RULES = (
    _rule(
        "home",
        rf"{_I}家?{_ADVERB}(?:从{_OLD})?{_ADVERB}搬(?:家|回|去|来|到|至|过)*(?:了|到)*{_V}"
        rf"(?:来|去)?(?:住|生活|居住|定居)?{_END}",
        "place",
        "marked",
    ),
    _rule("home", rf"{_I}{_ADVERB}(?:居住|定居|生活|住|安家)(?:在|于|到|去)了?{_V}{_END}", "place"),
    _rule("home", rf"{_I}{_ADVERB}(?:住|定居|移居){_V}{_END}", "town"),
    _rule("home", rf"{_I}{_ADVERB}(?:在|到){_V}(?:居住|定居|生活|安家|安顿下来|住){_END}", "place"),
    _rule("home", rf"{_I}的?家{_ADVERB}(?:就)?在{_V}{_END}", "place"),
    _rule("home", rf"{_I}(?:现在)?的?(?:家|住处|居住地|所在城市|城市){_IS}{_V}{_END}", "place"),
    _rule("hometown", rf"{_I}的?(?:老家|家乡|故乡)(?:在|是){_V}", "place", "fixed"),
    _rule("birthplace",
          rf"{_I}(?:出生[在于]|(?:是)?在(?=.+生)){_V}(?:出生的?|生的)?", "place", "fixed"),
    _rule(
        "employer",
        rf"{_I}{_ADVERB}(?:从{_OLD})?{_ADVERB}(?:(?:跳槽|换工作|入职|加入)(?:到|去|了|进|至)*|"
        rf"(?:跳|转|换|调)(?:到|去|至)了?){_V}"
        rf"(?:工作|上班|公司上班|任职)?{_END}",
        "org",
        "marked",
    ),
    _rule("employer",
          rf"{_I}{_ADVERB}(?:在|就职于|任职于|供职于){_V}(?:工作|上班|任职|就职|当\w+|做\w+)"
          rf"?{_END}", "org"),
    _rule("employer", rf"{_I}{_ADVERB}去{_V}(?:工作|上班){_END}", "org", "marked"),
    _rule("employer", rf"{_I}的?(?:公司|单位|东家|雇主){_IS}{_V}{_END}", "org"),
    _rule("employer", rf"{_I}{_ADVERB}从{_V}(?:离职|辞职){_END}", "org", "marked ends"),
    _rule("employer", rf"{_I}{_ADVERB}离开了?{_V}了", "org", "marked ends"),
    _rule(
        "job",
        rf"{_I}{_ADVERB}(?:升职?|晋升|提拔|升任|当上|转行|改行|转岗|转做|改做)(?:为|成|到|做|当|"
        rf"去)*了?"
        rf"(?:一名|一个|一位)?{_V}{_END}",
        "title",
        "marked",
    ),
    _rule("job",
          rf"{_I}的?(?:工作|职业|职位|职务|岗位)(?:{_IS}|{_TURNED})(?:一名|一个|一位)?{_V}{_END}",
          "title"),
    _rule("job", rf"{_I}{_ADVERB}(?:做|当|担任)(?:一名|一个|一位)?{_V}{_END}", "title"),
    _rule("job", rf"{_I}{_ADVERB}是(?:一名|一个|一位|个|名|位)?{_V}{_END}", "title", "fixed"),
    _rule("job", rf"{_I}(?:现在|目前|如今)+(?:已经)?是{_V}{_END}", "title", "marked"),
    _rule(
        "favourite",
        rf"{_I}{_ADVERB}(?:的)?最(?:喜欢|爱|喜爱|中意)(?:吃|喝|看|听|玩|"
        rf"穿)?的(?P<n>[\u4e00-\u9fff]{{1,6}}?)(?:{_IS}|"
        rf"{_TURNED})"
        rf"{_V}{_END}",
    ),
    _rule("favourite", rf"{_V}{_IS}{_I}(?:现在)?最(?:喜欢|爱|喜爱)的(?P<n>[\u4e00-\u9fff]{{1,6}})"),
    _rule("favourite", rf"{_I}{_ADVERB}最(?:喜欢|爱)(?P<n>吃|喝|看|听|玩|穿)的?(?:{_IS}|{_TURNED})?"
          rf"{_V}{_END}"),
    _rule("code",
          rf"{_MY}(?P<n>{_CODES})(?:{_IS}|{_TURNED}|换了，?(?:新号?码?)?是)[:：]?\s*{_V}{_END}",
          "code"),
    _rule("code", rf"{_I}{_ADVERB}(?:把)?(?P<n>{_CODES})(?:{_TURNED}){_V}", "code", "marked"),
    _rule("name of",
          rf"{_MY}(?:那只|这只|那条)?(?P<n>{_PETS})(?:的名字)?(?:{_IS}|{_TURNED}){_V}{_END}",
          "person"),
    _rule("name of", rf"{_I}{_ADVERB}(?:给|把)(?:家里的?|我家的?)?(?P<n>{_PETS})(?:的名字)?"
          rf"(?:改名叫?|改名为|改成|改叫)了?{_V}{_END}", "person", "marked"),
    _rule("person", rf"{_MY}(?P<n>{_PEOPLE})(?:的名字)?(?:{_IS}|{_TURNED}){_V}{_END}", "person"),
    _rule("person", rf"{_V}{_IS}{_MY}(?P<n>{_PEOPLE})", "person"),
    _rule("thing car", rf"{_I}{_ADVERB}开(?:的是|着|的)?(?:一?辆|一?台)?{_V}(?:车|汽车)?", "brand"),
    _rule("thing car",
          rf"{_MY}(?:车|汽车|座驾)(?:{_IS}|{_TURNED})(?:一?辆|一?台)?{_V}{_END}", "brand"),
    _rule(
        "thing car",
        rf"{_I}{_ADVERB}(?:把)?(?:旧车|车|{_OLD})?(?:卖了)?{_ADVERB}(?:换成了?|换了|买了)"
        rf"(?:新)?(?:一?辆|一?台)?(?:新)?{_V}",
        "brand",
        "marked",
    ),
    _rule("thing phone", rf"{_I}{_ADVERB}用的?(?:手机)?(?:是)?{_V}手机", "brand"),
    _rule("firm bank", rf"{_MY}(?:开户行|工资卡|银行)(?:{_IS}|{_TURNED}){_V}{_END}"),
    _rule("firm bank", rf"{_I}{_ADVERB}用的?(?:是)?(?P<v>[\u4e00-\u9fff]{{2,6}}银行)(?:的卡)?"),
    _rule("firm bank",
          rf"{_I}{_ADVERB}(?:把银行|把工资卡)?(?:换到|换成|转到)了?(?P<v>[\u4e00-\u9fff]"
          rf"{{2,6}}银行){_END}", "free", "marked"),
    _rule("firm gym", rf"{_I}{_ADVERB}(?:的健身房|去的健身房)(?:{_IS}|{_TURNED}){_V}{_END}"),
    _rule("amount", rf"{_MY}(?P<n>{_AMOUNTS})(?:{_IS}|{_TURNED}|有)?{_V}{_END}", "amount"),
    _rule("amount 鞋码", rf"{_I}{_ADVERB}穿{_V}码的?鞋?", "amount"),
    _rule("age", rf"{_I}{_ADVERB}(?:满|过了)?{_V}岁{_END}", "amount"),
    _rule("marital status", rf"{_I}{_ADVERB}(?:是)?(?P<v>单身|已婚|未婚)(?:的)?{_END}"),
    _rule("marital status",
          rf"{_I}(?:和[\u4e00-\u9fff]{{1,4}})?{_ADVERB}(?:领证)?(?P<v>结婚|离婚|订婚)了?",
          "free", "marked"),
    _rule("diet",
          rf"{_I}{_ADVERB}(?:是|开始|改|改成)*(?:个|一个|一名)?(?:吃)?(?P<v>素食主义者|素食者|"
          rf"纯素食?"
          rf"|素食?)(?:者)?{_END}"),
    _rule("diet", rf"{_I}{_ADVERB}(?:开始|重新)+吃(?P<v>肉){_END}", "free", "marked"),
    _rule("*",
          rf"{_I}{_ADVERB}(?:从|由|把)(?:喝|吃|用|看)?{_OLD}{_ADVERB}(?:换成|改成|换到|转到|改喝|"
          rf"改吃|改用"
          rf"|换为|改为)了?{_V}{_END}", "free", "marked"),
    _rule("*",
          rf"{_I}{_ADVERB}不(?:再)?(?:喝|吃|用|看|玩|听){_OLD}了?[,，]?(?:改|换成?)(?:成|喝|吃|"
          rf"用|看|玩|听)?"
          rf"{_V}{_END}", "free", "marked"),
)  # fmt: skip
"""In the order in which they are tried."""

TITLES = re.compile(rf"(?:[\w\u4e00-\u9fff]{{0,6}})(?:{'|'.join(CHINESE_PROFESSIONS)})")
BRANDS = re.compile(rf"(?:{'|'.join(CHINESE_BRANDS)})[\w\s]{{0,10}}|[A-Za-z][\w ]{{1,20}}")
