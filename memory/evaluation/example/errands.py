"""What people ask an assistant to do, and the themes without which it cannot be done.

By language: the words of the task, and what must be known. Some name what they need, some do not.
Written for this example, before any answer was seen.
"""

from collections.abc import Mapping, Sequence

type Errand = tuple[str, Sequence[str]]

ERRANDS: Mapping[str, Sequence[Errand]] = {
    "zh": (
        ("帮我订周五晚上回家的火车票，座位照我的习惯选。", ("home", "seat")),
        ("公司宴会要统计忌口，替我填一下：过敏的和不吃的都写上。", ("allergy", "diet")),
        ("给行业年会写一段我的自我介绍，要有职业和所在城市。", ("job", "home")),
        ("给新项目搭后端骨架，用我们定好的数据库，排期别晚过交付日。", ("database", "deadline")),
        ("给我安排一个周末：白天做我喜欢的运动，路上放我爱听的歌。", ("sport", "music")),
        ("写一张宠物寄养卡，写上它的名字和我的手机号。", ("pet", "phone")),
        ("给我爱人和孩子各挑一份礼物，要合他的职业、孩子的年纪。", ("partner", "child")),
        ("帮我列采购清单，总价守住预算，我不吃的别放。", ("budget", "diet")),
        ("写封邮件约下周的评审会，避开我没空的时段，回信地址留我的邮箱。", ("schedule", "mail")),
        ("做一份今年下半年的计划，把我的目标和在学的语言都排进去。", ("goal", "language")),
        ("替我给车约一次保养，报上车型和我的联系电话。", ("car", "phone")),
        ("体检表上的手术史和过敏史，你帮我填。", ("surgery", "allergy")),
        ("把上次上线的事故写成一页复盘，按我要求的格式写。", ("lesson", "answer style")),
        ("给我上次旅行写张明信片，落款用你平时怎么叫我。", ("trip", "form of address")),
        ("帮我叫一份早餐。", ("allergy",)),
        ("给我点杯喝的。", ("drink",)),
        ("周末本地有什么展览？", ("home",)),
        ("给我推荐一张新专辑。", ("music",)),
        ("帮我把这份会议纪要导进我的笔记软件，先写个步骤。", ("tool",)),
        ("看看这套沙发我买得起吗，八千九。", ("budget",)),
        ("下周跟客户的会放在什么时候好？", ("schedule",)),
        ("写个倒计时页面，数到我们项目交付那天。", ("deadline",)),
    ),
    "en": (
        ("Book me a train home on Friday night, in the kind of seat I like.", ("home", "seat")),
        ("Fill in the dietary form for the dinner: allergies and what I don't eat.", ("allergy", "diet")),
        ("Write a short bio for the conference with my job and where I live.", ("job", "home")),
        ("Scaffold the new backend on the database we chose, and plan it to meet the deadline.", ("database", "deadline")),
        ("Plan my Sunday: the sport I enjoy, and music I like on the way.", ("sport", "music")),
        ("Write a card for the pet sitter with my pet's name and my phone number.", ("pet", "phone")),
        ("Pick presents for my partner and my child that suit the job and the age.", ("partner", "child")),
        ("Draw up a shopping list within my budget and without food I don't eat.", ("budget", "diet")),
        ("Invite everybody to a review next week when I'm available, replies to my email.", ("schedule", "mail")),
        ("Draft a plan for the rest of the year around my goal and the language I'm learning.", ("goal", "language")),
        ("Book a service for my car; they want the model and a phone number.", ("car", "phone")),
        ("Fill in the hospital form: past surgery and allergies.", ("surgery", "allergy")),
        ("Write up the last outage on one page, in the way I asked you to answer.", ("lesson", "answer style")),
        ("Write a postcard about my last trip and sign it with what you call me.", ("trip", "form of address")),
        ("Order breakfast for me.", ("allergy",)),
        ("Get me something to drink.", ("drink",)),
        ("Which exhibitions are on near me this weekend?", ("home",)),
        ("Recommend a new album to me.", ("music",)),
        ("How do I get these minutes into my notes app?", ("tool",)),
        ("This sofa is 890, can I afford it?", ("budget",)),
        ("When next week should we meet the client?", ("schedule",)),
        ("Make a countdown page to the day we deliver.", ("deadline",)),
    ),
}  # fmt: skip
