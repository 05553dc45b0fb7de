"""1,000 sessions with an assistant, 200 of which hold something worth writing, put together from frames.

The frames were written for this; ``{a|b}`` is one of several. ``python -m tests.data.gate_sessions`` prints the
turns as `manage.py evaluate gate` reads them.
"""

import json
import random
import re
import sys
from collections.abc import Iterator
from typing import Any

SEED = 20260201
SESSIONS, WORTH = 1_000, 200
SHORTEST, LONGEST = 3, 7

_CHOICE = re.compile(r"\{([^{}]*)\}")

KEEP: dict[str, tuple[str, ...]] = {
    "zh": (
        "顺便说一下，我{搬到|调到}{嘉兴|株洲|威海}{了|工作了}，{以后按这边的时间|家里人还没过来}。",
        "我{对芒果过敏|对尘螨过敏|不能吃海鲜}，{上次进了医院|点单时帮我避开}。",
        "以后{给我的材料|所有的表}{都用繁体|都附页码|先放结论}。",
        "我{女儿|儿子}{今年上初一|刚满三岁|在学游泳}。",
        "我在{一家出版社做校对|县医院当药剂师|港口开吊车}，{经常上夜班|快退休了}。",
        "我们{决定|定了}{下季度先做海外版|换掉现在的供应商|周会改到周二}。",
        "装修的预算{最多八万|不超过二十万}，{不能再加|超了我就不做了}。",
        "我{打算|计划}{明年春天考研|年底前还清车贷|三个月内瘦十斤}。",
        "我{不喜欢|受不了}{语音消息|太甜的点心|早上开会}，{发文字就好|换别的}。",
        "我{上周|上个月}{做了阑尾手术|去西宁出差|卖掉了老房子}。",
        "我{最喜欢|偏爱}{靠窗的位子|手写的笔记|老式的机械表}。",
        "我老公{姓岳|是消防员|常年跑船}，{联系人写他|家里的事他不管}。",
        "这个项目{必须在六月三号前上线|只能用国产数据库|由小季负责}。",
        "记住，{我们组的代号叫“青柚”|我的工号是 A-217|周五我不在}。",
    ),
    "en": (
        "By the way, I {moved|got transferred} to {Ghent|Tampere|Boise}{ for work| last month}.",
        "I'm {allergic to mango|allergic to latex|intolerant to lactose}, {so keep that out of the menu|I ended up in hospital once}.",
        "From now on {put page numbers on everything|write my reports in French|give me the conclusion first}.",
        "My {daughter|son} {just started secondary school|is three|is learning to swim}.",
        "I work {as a proofreader at a publishing house|as a crane driver in the port|nights at a pharmacy}.",
        "We {decided|agreed} {to ship the overseas edition first|to drop our current supplier|to hold the weekly on Tuesdays}.",
        "My budget for the kitchen is {8,000|12,500} euros, {not a cent more|everything included}.",
        "I'm planning to {apply for a master's next spring|pay off the car by December|lose five kilos in three months}.",
        "I {don't like|hate} {voice messages|sweet pastries|early meetings}{|, text me instead}.",
        "{Last week|Last month} I {had my appendix out|went to Tallinn for a fair|sold the old house}.",
        "I {prefer|always take} {seats by the window|handwritten notes|the night train}.",
        "My husband {is a firefighter|works at sea most of the year|is called Anselm}.",
        "The project {has to go live by June 3|may only use open-source databases|is led by Priya}.",
        "Remember that {our team's code name is Pomelo|my badge number is A-217|I'm off on Fridays}.",
    ),
}
LEAVE: dict[str, tuple[str, ...]] = {
    "zh": (
        "{你好|早|在吗}{|，忙吗？|，又见面了}",
        "{谢谢|好的|收到}{|，辛苦了|，就这样}。",
        "{怎么|如何}{把PDF转成Word|泡出不苦的绿茶|算等额本息}？",
        "帮我{写一段新年祝福|列个露营清单|把这句话翻成英文}。",
        "{继续|再短一点|换个开头|第三条展开说说}。",
        "{今天好冷|我有点饿|刚开完会|外面堵死了}{，先等等|。}",
        "{如果我是|假如我成了}{市长|宇航员}，{就给大家放假|天天看日出}。",
        "写一个{关于灯塔的|讲狐狸的}故事，主角叫{阿满|小豆}。",
        "他说：“{我最讨厌下雨|明年一定结婚}。”",
        "{推荐|介绍}{几本科普书|两部动画片|一家面馆}吧。",
        "{黄河全长多少|谁发明了算盘|月食是怎么形成的}？",
        "我要{去月亮上种菜|娶一只企鹅}，开玩笑的。",
        "{哈哈|哇}，{真有意思|太厉害了}！",
        "我的订单{已经发货了|显示在派送}。",
        "{格式不对|漏了一行|标点乱了}，重新来。",
        "{解释一下|什么叫}{通货膨胀|递归|边际成本}。",
    ),
    "en": (
        "{Hi|Good morning|Hey there}{!|, how are you?|, me again}",
        "{Thanks|Okay|Got it}{!|, that helps|, perfect}.",
        "How do I {turn a PDF into a document|brew green tea without the bitterness|work out an annuity}?",
        "{Write|Draft} {a new year's greeting|a packing list for camping|a limerick about ducks}.",
        "{Continue|Shorter, please|Try another opening|Expand on the third point}.",
        "{It's freezing today|I'm a bit hungry|I just got out of a meeting|Traffic is terrible today}{.|, one moment.}",
        "If I were {the mayor|an astronaut}, I would {give everyone a day off|watch the sunrise all day}.",
        "Write a story about {a lighthouse|a clever fox} called {Pip|Marlo}.",
        'He said, "{I hate the rain|I will marry next year}."',
        "{Recommend|Suggest} {a few science books|two animated films|a noodle bar}.",
        "{How long is the Danube|Who invented the abacus|What causes a lunar eclipse}?",
        "I'm going to {grow cabbage on the moon|marry a penguin}, just kidding.",
        "{Haha|Wow}, {that's funny|impressive}!",
        "My order {has shipped|is out for delivery}.",
        "{The formatting is off|You dropped a line|The commas are wrong}, redo it.",
        "{Explain|What is} {inflation|recursion|marginal cost}{ in simple terms|}.",
    ),
}


def turns(
    sessions: int = SESSIONS, worth: int = WORTH, seed: int = SEED
) -> Iterator[dict[str, Any]]:
    """Yield the turns of ``sessions`` sessions, of which ``worth`` hold one turn to keep, or two."""
    draw = random.Random(seed)
    chosen = set(draw.sample(range(sessions), worth))
    for number in range(sessions):
        lang = draw.choice(("zh", "en"))
        said = [(LEAVE, False)] * draw.randint(SHORTEST, LONGEST)
        if number in chosen:
            said = [*said, *[(KEEP, True)] * draw.choice((1, 1, 2))]
            draw.shuffle(said)
        for frames, keep in said:
            frame = draw.choice(frames[lang])
            text = _CHOICE.sub(lambda m: draw.choice(m[1].split("|")), frame)
            yield {"session": f"s{number}", "lang": lang, "text": text, "worth": keep}


if __name__ == "__main__":
    for turn in turns():
        sys.stdout.write(json.dumps(turn, ensure_ascii=False) + "\n")
