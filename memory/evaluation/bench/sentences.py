"""Short texts in Chinese and English, as people say them to an agent; the same ones in every run.

They are mixed as a person's memories are: what lasts, what happened, what is planned, what is liked,
how to answer. About one in eight says that something is otherwise now, about one in four has a number.
"""

import random
from collections.abc import Mapping, Sequence

_SLOTS: Mapping[str, Sequence[str]] = {
    "who": (
        "my sister", "my brother", "our team lead", "the neighbour's son", "my dentist", "my aunt Rosa",
        "Priya from accounting", "my flatmate", "grandpa", "my old classmate Tom", "the landlord", "my coach",
    ),
    "city": (
        "Lisbon", "Osaka", "Kraków", "Valparaíso", "Shenzhen", "Ghent", "Tbilisi", "Nairobi", "Halifax", "Pune",
    ),
    "job": ("a nurse", "a baker", "a surveyor", "a translator", "a pilot", "a gardener", "an auditor", "a welder"),
    "thing": (
        "a road bike", "the blue sofa", "an espresso machine", "a tent", "the old camera", "a cello", "a heat pump",
        "running shoes", "a sewing machine", "the spare keys", "a telescope", "a standing desk",
    ),
    "skill": ("pottery", "Portuguese", "fencing", "watercolours", "beekeeping", "chess", "tango", "woodwork"),
    "food": ("lentil soup", "ramen", "goat cheese", "rye bread", "mango", "dumplings", "oat milk", "grilled fish"),
    "tool": ("PostgreSQL", "Grafana", "Terraform", "Figma", "Kafka", "Redis", "Jira", "LaTeX"),
    "day": ("on Monday", "last Friday", "in March", "over the holidays", "yesterday evening", "two weeks ago"),
    "谁": (
        "我妹妹", "我哥哥", "我们组长", "楼下的邻居", "我的牙医", "我舅舅", "财务的小周", "我室友", "爷爷", "老同学阿杰", "房东", "教练",
    ),
    "城": ("成都", "里斯本", "苏州的老城区", "深圳南山", "新西兰的一个小镇", "西安", "大阪", "昆明", "哈尔滨", "厦门"),
    "业": ("护士", "面包师", "测绘员", "翻译", "飞行员", "园艺师", "审计", "焊工"),
    "物": ("公路车", "蓝色沙发", "咖啡机", "帐篷", "旧相机", "大提琴", "跑鞋", "缝纫机", "备用钥匙", "望远镜", "升降桌", "热水器"),
    "技": ("陶艺", "葡萄牙语", "击剑", "水彩", "养蜂", "围棋", "探戈", "木工"),
    "食": ("小米粥", "拉面", "豆腐脑", "黑麦面包", "芒果", "饺子", "燕麦奶", "清蒸鱼"),
    "具": ("数据库", "监控面板", "流水线", "设计稿", "消息队列", "缓存", "工单系统", "周报模板"),
    "天": ("周一", "上周五", "三月里", "放假的时候", "昨天晚上", "前阵子"),
}  # fmt: skip
_LASTING = (
    "{who} works as {job} in {city}.",
    "{who} keeps {thing} in the cellar.",
    "I like {food} for breakfast.",
    "I can't stand {food}.",
    "{who} is allergic to {food}.",
    "Our project runs on {tool}, and {who} looks after it.",
    "I want to learn {skill} with {who}.",
    "Please answer briefly when I ask about {tool}.",
    "{who} met us in {city} {day} and brought {food}.",
    "{day} I showed {who} how {tool} works.",
    "The warranty of {thing} ends in {n} months.",
    "{who} paid {n} euros for {thing} {day}.",
    "{谁}在{城}当{业}。",
    "{谁}把{物}放在地下室。",
    "我早饭爱吃{食}。",
    "我受不了{食}的味道。",
    "{谁}对{食}过敏。",
    "我们项目的{具}由{谁}负责。",
    "我想和{谁}一起学{技}。",
    "问到{具}的时候请回答得简短一点。",
    "{天}{谁}来{城}看我们，带了{食}。",
    "{天}我给{谁}演示了{具}。",
    "{物}的保修期是{n}个月。",
    "{天}{谁}花{n}块买了{物}。",
)
_CHANGED = (
    "{who} moved to {city} {day}.",
    "I no longer eat {food}.",
    "We switched from {tool} to something else {day}.",
    "{who} sold {thing} {day}.",
    "{谁}{天}搬到了{城}。",
    "我不再吃{食}了。",
    "{天}我们把{具}换掉了。",
    "{谁}{天}把{物}卖了。",
)
_QUESTIONS = (
    "Where does {who} live now?",
    "What did {who} say about {tool}?",
    "Who is allergic to {food}?",
    "Where did I leave {thing}?",
    "{谁}现在住在哪里？",
    "{谁}今年有什么打算？",
    "谁会{技}？",
    "{物}是什么时候买的？",
)
_ONE_IN = 8  # tells of a change


def passages(count: int) -> list[str]:
    """Return ``count`` texts of one or two sentences, half of them Chinese."""
    drawn = random.Random(20)  # noqa: S311 - the same texts every time
    return [_text(drawn, chinese=number % 2 == 1) for number in range(count)]


def questions(count: int) -> list[str]:
    """Return ``count`` questions, half of them Chinese."""
    drawn = random.Random(21)  # noqa: S311 - the same texts every time
    return [_filled(drawn, _QUESTIONS[number % len(_QUESTIONS)]) for number in range(count)]


def _text(drawn: random.Random, *, chinese: bool) -> str:
    said = [_sentence(drawn, chinese=chinese) for _ in range(drawn.choice((1, 1, 1, 2)))]
    return ("" if chinese else " ").join(said)


def _sentence(drawn: random.Random, *, chinese: bool) -> str:
    whole = _CHANGED if drawn.randrange(_ONE_IN) == 0 else _LASTING
    half = len(whole) // 2
    return _filled(drawn, drawn.choice(whole[half:] if chinese else whole[:half]))


def _filled(drawn: random.Random, sentence: str) -> str:
    slots = {
        name: drawn.choice(words) for name, words in _SLOTS.items() if f"{{{name}}}" in sentence
    }
    text = sentence.format(**slots, n=drawn.randrange(2, 900))
    return text[0].upper() + text[1:]
