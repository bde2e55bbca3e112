"""What messages claim of a slot, and what they do not."""

import pytest

from lamina.strategies.supersession.claims import compare
from lamina.strategies.supersession.reading import read


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Paris.", "I moved to Rome last week!"),
        ("I live in Paris.", "We've relocated to Berlin, Germany, and we love it."),
        ("I live in Paris.", "I don't live in Paris anymore."),
        ("I live in Paris.", "I used to live in Paris but now I live in Rome."),
        ("I work at Acme.", "I left Acme and now work at Globex."),
        ("I'm a nurse.", "I got promoted to head nurse!"),
        ("My favorite color is blue.", "My favourite colour is green now."),
        ("My boss is Ann.", "My new boss is Dr. Lee."),
        ("My number is 555-0142.", "I changed my phone number to 555-0199."),
        ("I drink coffee every morning.", "I've given up coffee."),
        ("I play tennis on Sundays.", "I don't play tennis any more."),
        ("I don't like olives.", "I like olives now."),
        ("I'm vegetarian.", "I eat meat again."),
        ("The team meeting is on Tuesday.", "They moved the team meeting to Friday."),
        ("My flight leaves at 9am.", "My flight was rescheduled to 11 am."),
        ("My birthday is May 3.", "Sorry, my birthday is May 5."),
        ("Tom's birthday is on 4 May.", "Actually, Tom's birthday is on 14 May."),
        ("Ann's flight is on Monday.", "Ann's flight was moved to Friday."),
        ("I'm 34 years old.", "I just turned 35."),
        ("我住在北京。", "我上个月搬到上海了。"),
        ("我住在巴黎。", "我以前住在巴黎，现在搬到罗马了。"),
        ("我在腾讯工作。", "我跳槽到阿里了。"),
        ("我最喜欢的颜色是蓝色。", "我现在最喜欢的颜色是绿色。"),
        ("我每天喝咖啡。", "我不再喝咖啡了。"),
        ("我抽烟。", "我戒烟了。"),
        ("会议在周二。", "会议改到周五了。"),
        ("我的手机号是13800001111。", "我的电话换成13900002222了。"),
        ("我家狗叫旺财。", "其实我家狗叫豆豆。"),
        ("我今年34岁。", "我35岁了。"),
        ("我搬到北京了。", "我说错了,我不是搬到北京,是搬到天津。"),
        ("我在腾讯工作。", "我不是在腾讯工作，而是在阿里工作。"),
        ("我是医生。", "我现在是老师。"),
    ],
)
def test_a_newer_value_of_one_slot_replaces_the_older(old: str, new: str) -> None:
    before, after = read(old), read(new)

    assert before
    assert after
    assert compare(before, after) == "replaces"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Paris.", "I'm in Rome this week."),
        ("I live in Paris.", "My sister lives in Rome."),
        ("I live in Paris.", "I lived in Rome as a child."),
        ("I live in Paris.", "I would love to live in Rome."),
        ("I live in Paris.", "Should I move to Rome?"),
        ("I live in Paris.", "If I move to Rome, I'll sell the car."),
        ("I live in Paris.", 'She said "I moved to Rome".'),
        ("I live in Oslo.", "I live in Norway."),
        ("I live in Brooklyn.", "I live in New York."),
        ("I live in Paris.", "I live in a small flat."),
        ("I work at Acme.", "I work as an engineer."),
        ("I like tea.", "I like coffee."),
        ("I speak French.", "I speak Spanish."),
        ("I have a dog named Rex.", "I have a cat named Tom."),
        ("My dog is called Rex.", "My cat is called Tom."),
        ("My boss is Ann.", "My boss is German."),
        ("My car is a Honda.", "My car is in the garage."),
        ("The team meeting is on Tuesday.", "The budget meeting is on Friday."),
        ("The meeting is on Tuesday.", "The meeting is at 3pm."),
        ("My birthday is in May.", "My birthday is May 3."),
        ("Tom's birthday is on 4 May.", "Actually, Ann's birthday is on 14 May."),
        ("My birthday is on 4 May.", "Actually, Tom's birthday is on 14 May."),
        ("Tom's birthday is on 4 May.", "It's Friday at 5 pm."),
        ("I play tennis.", "I don't play golf any more."),
        ("My favourite film is Alien.", "My daughter's favourite film is Heat."),
        ("I live in Paris.", "I live in Rome and work at Fiat."),
        ("我住在北京。", "我姐姐住在上海。"),
        ("我住在北京。", "我想搬到上海。"),
        ("我住在北京。", "我小时候住在上海。"),
        ("我住在北京。", "如果我搬到上海，就好了。"),
        ("我住在中国。", "我住在上海。"),
        ("我在腾讯工作。", "我在北京工作。"),
        ("我喜欢喝茶。", "我喜欢喝咖啡。"),
        ("会议在周二。", "会议在下午三点。"),
        ("我家狗叫旺财。", "我家猫叫团团。"),
    ],
)
def test_what_may_both_hold_is_left_alone(one: str, other: str) -> None:
    before, after = read(one), read(other)

    for old, new in ((before, after), (after, before)):
        assert not (old and new) or compare(old, new) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Paris.", "I still live in Paris."),
        ("My dog is called Rex.", "My dog's name is Rex."),
        ("I drink tea.", "I drink tea every day."),
        ("The meeting is on Friday at 3pm.", "Actually the meeting is on Friday at 3 pm."),
        ("我住在北京。", "我还是住在北京。"),
        ("会议在周五。", "会议是周五。"),
    ],
)
def test_the_same_in_other_words_is_a_confirmation(one: str, other: str) -> None:
    before, after = read(one), read(other)

    assert before
    assert after
    assert compare(before, after) == "same"


def test_a_message_that_says_more_is_not_put_away() -> None:
    before = read("I live in Paris. My neighbour has three noisy parrots.")
    after = read("I moved to Rome.")

    assert before
    assert after
    assert compare(before, after) == "doubts"


@pytest.mark.parametrize("text", ["", " ", "I", "我", "!" * 300, "a" * 5000, "I live in \x00."])
def test_odd_texts_claim_nothing(text: str) -> None:
    assert read(text) is None
