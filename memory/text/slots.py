"""Which slots a question asks for by name: "where does the user work?" is answered by the employer.

No model finds "I joined Heron Bank last month" for it; the table of attributes does. Only a question
counts, and only about the person: a task that mentions a company, and a sister's job, name no slot.
"""

import re
from collections.abc import Sequence

from memory.policy import QUESTION
from memory.text.asking import asks_about_person

_B, _E = "(?<![0-9a-z])", "(?![0-9a-z])"
_END_EN = (
    r"(?=\s*(?:$|[?.!,;\n]|(?:called|again|now|currently|right now|these days|please|and|or)"
    + _E
    + "))"
)
_END_ZH = r"(?=(?:来着|呢|啊|呀|吗|嘛|了吗)?\s*(?:$|[？?。！!，,；;\s]))"

# Who is asked about. Others are not: "my sister", 我妹妹, 客户.
_I_EN = "(?:i|we|the user|user)"
_MY_EN = "(?:my|our|the user'?s|user'?s) (?:current |present |full |own |exact )?"
_I_ZH = (
    "(?:我们|我|用户|本人|咱们?)(?:现在|目前|如今|平时|平常|一般|通常|每天|每月|早上|晚上|今年|到底|以前|之前|原来|曾经"
    "|的|家|都|是|自己|究竟)*"
)
# "does the user usually …": how it is. What was done once is another question, except of what is over by nature.
_NOW = (
    rf"(?:(?:do|does|am|is|are|have|has) {_I_EN}|did {_I_EN}(?= use to ))"
    r"(?: (?:currently|now|usually|normally|still|generally|use to))?"
)
_EVER = rf"(?:(?:do|does|did|am|is|are|was|were|have|has) {_I_EN})(?: (?:originally|use to))?"

# The attribute, what it is called in Chinese and in English, and other ways to ask for it. In those
# <i> and <me> stand for the person, <am> for "do I", "is the user", <ever> for the same at any time,
# <end> and <了> for the end of a question.
_ASKED = (
    ("identity.name", "名字|姓名|全名", "(?:first |last )?name|surname", "<i>(?:叫什么(?:名字)?|姓什么|是谁)<了>", "who <am><end>"),
    ("identity.form_of_address", "称呼|昵称", "nickname|form of address|preferred name", "(?:怎么|如何)称呼(?:我|用户)|(?:叫|喊)(?:我|用户)什么", "(?:what|how) (?:should|do|can) (?:you|i|we) (?:call|address) (?:me|the user)|how <am> (?:like|want|prefer) to be (?:called|addressed)"),
    ("identity.birthday", "生日|出生日期", "birth ?(?:day|date)|date of birth", "<i>(?:哪天|哪年|哪一天|哪一年|什么时候|几月几[日号]|几几年)(?:出生|生的|过生日)", "when <ever> born"),
    ("identity.age", "年龄|岁数", "age", "<i>(?:多大|几岁|多少岁)", "how old <am><end>"),
    ("identity.gender", "性别", "gender|pronouns", "<i>男(?:的|生|性)?还是女", ""),
    ("identity.zodiac", "星座|属相|生肖", "(?:star|zodiac) sign", "<i>属(?:什么|啥)<了>", ""),
    ("identity.origin", "老家|家乡|籍贯|故乡", "home ?town|birthplace|place of birth", "<i>(?:哪里|哪儿|哪|什么地方)的?人<了>|<i>来自(?:哪|什么地方)|<i>在哪.{0,3}(?:长大|出生)", "where <ever> (?:come )?(?:from|raised|born|grow up)"),
    ("identity.nationality", "国籍", "nationality|citizenship", "<i>哪(?:国|个国家的?)人", ""),
    ("identity.language", "母语", "native language|mother tongue", "<i>(?:会|能)(?:说|讲)?(?:什么|哪些|哪几[种门]|几[种门])(?:语言|外语)", "(?:what|which|how many) languages (?:<am> (?:speak|know)|can <me> speak)"),
    ("contact.phone", "手机号码?|电话(?:号码)?|联系电话|联系方式", "(?:(?:cell |mobile )?phone|mobile|cell|contact) numbers?|contact details", "", ""),
    ("contact.email", "邮箱(?:地址)?|电子邮件|邮件地址", "e-?mail(?: address)?", "", ""),
    ("contact.address", "(?:家庭|收货)?地址|住址", "(?:home |postal |street |delivery |shipping )?address", "", ""),
    ("home.city", "居住地|城市", "(?:home )?(?:city|town)|city of residence", "<i>住(?:在)?(?:哪里|哪儿|哪|什么地方)<了>|<i>家在哪|<i>(?:在|生活在)(?:哪个|哪座|什么)城市", "where <am> (?:live|living|based|located)|which country <am> live in"),
    ("home.timezone", "时区", "time ?zone", "<i>在(?:哪个|什么)时区", "(?:what|which) time ?zone <am> (?:in|live in)"),
    ("home.commute", "通勤方式", "commute", "<i>(?:怎么|如何|坐什么)(?:去)?(?:上班|通勤)<了>", "how <am> (?:commute|get to work)"),
    ("work.employer", "公司|(?:工作)?单位|雇主|东家", "employer|company|workplace", "<i>在?(?:哪里|哪儿|哪家?|什么地方)(?:上班|工作|就职|任职)", "where <am> (?:work(?! out)|working|employed)|who(?:m)? <am> (?:work(?:ing)? for|employed by)|(?:what|which) (?:company|employer) <am> (?:work(?:ing)? (?:for|at)|with)"),
    ("work.role", "职业|职位|岗位|职务|工作", "job(?: title)?|profession|occupation|role", "<i>(?:做|干)(?:什么|啥|哪行)(?:工作)?的<了>|<i>(?:做|从事|干)(?:的)?(?:什么|啥|哪种|哪行)(?:工作|职业|行业)|<i>靠什么(?:谋生|吃饭)", "what <am> do for (?:a living|work)|what <am> work as|what (?:kind|sort|line) of work <am> (?:do|in)"),
    ("work.hours", "上班时间|工作时间|班次", "(?:working|work|office) hours|shifts?|work schedule", "<i>(?:几点|什么时候)(?:上|下)班|<i>上(?:的)?什么班", "(?:when|what time) <am> (?:start|finish|leave) work"),
    ("education.school", "学校|大学|母校", "school|university|college|alma mater", "<i>(?:在)?哪(?:里|儿|所)?(?:大学|学校)?(?:毕业|上学|上大学|读大学|念大学|读书|念书)|<i>(?:从|是)哪(?:里|儿|所大学|所学校)毕业", "where <ever> (?:study|studying|studied|graduate|go to (?:school|college|university))|(?:which|what) (?:school|university|college) <ever> (?:attend|go to|graduate from|study at)"),
    ("education.degree", "学历|学位", "degree|level of education", "", ""),
    ("education.major", "专业", "major|field of study", "<i>(?:大学|本科)?学的?是?什么专业|<i>(?:大学|本科)?学的是什么<了>", "what <ever> (?:study|studying|major(?:ing)? in)<end>"),
    ("family.partner", "老婆|妻子|老公|丈夫|爱人|对象|女朋友|男朋友|伴侣", "wife|husband|partner|spouse|girlfriend|boyfriend", "", "who <am> (?:married to|dating)"),
    ("family.status", "婚姻状况|感情状况", "(?:marital|relationship) status", "<i>(?:结婚|成家|单身|离婚)(?:了)?(?:吗|没|没有)", "<am> (?:married|single|divorced|engaged)<end>"),
    ("family.children", "孩子|小孩|儿女|子女|儿子|女儿", "kids?|child(?:ren)?|sons?|daughters?", "", ""),
    ("family.siblings", "兄弟姐妹|兄弟|姐妹", "siblings?|brothers?|sisters?", "", ""),
    ("family.anniversary", "结婚纪念日", "(?:wedding )?anniversary", "", ""),
    ("pets", "宠物", "pets?", "<i>养了?(?:什么|哪些|几只|啥)(?:宠物|动物)?<了>", ""),
    ("diet.allergy", "过敏(?:原|史)?", "allerg(?:y|ies|ens?)", "<i>对?(?:什么|哪些|啥)(?:食物|东西|药物?)?(?:会)?过敏|<i>会?对[^，。？?]{1,8}过敏吗", "what <am> allergic to|<am> allergic to"),
    ("diet.preference", "忌口|饮食(?:习惯|禁忌|偏好)", "diet|dietary (?:restriction|requirement|preference|need)s?", "<i>不(?:能)?吃(?:什么|哪些|啥)|<i>有?(?:什么|哪些)不(?:能)?吃", "<am> (?:a )?(?:vegetarian|vegan)|what (?:don't|doesn't|can't|does not|do not) <me> eat"),
    ("health.condition", "慢性病|病史|健康(?:状况|问题)", "(?:health|medical) (?:condition|issue|problem|history)s?|illness(?:es)?", "<i>(?:得的是|有)什么病", ""),
    ("health.medication", "药|药物", "medications?|medicines?|meds|pills", "", "(?:what|which) (?:medications?|medicines?|meds|pills) <am> on"),
    ("health.blood_type", "血型", "blood (?:type|group)", "", ""),
    ("health.height", "身高", "height", "<i>有?多高<了>", "how tall <am><end>"),
    ("health.weight", "体重", "weight", "<i>有?多重<了>", "how much <am> weigh"),
    ("finance.income", "收入|工资|薪水|年薪|月薪", "income|salary", "<i>(?:一年|一个?月)?(?:挣|赚)多少", "how much <am> (?:earn|make)"),
    ("taste.likes", "爱好|兴趣(?:爱好)?", "hobb(?:y|ies)|interests", "<i>喜欢(?:什么|啥|哪些东西)<了>", "what <am> (?:like|enjoy|love)(?: doing)?<end>"),
    ("taste.dislikes", "", "", "<i>(?:不喜欢|讨厌)(?:什么|啥|哪些东西)<了>", "what (?:<am> (?:hate|dislike)|(?:don't|doesn't|do not|does not) <me> like)<end>"),
    ("taste.food", "口味", "favou?rite foods?", "<i>(?:喜欢|爱)吃(?:什么|啥)(?:菜|东西)?<了>", "what (?:foods? )?<am> like (?:to eat|eating)<end>"),
    ("travel.seat", "座位", "(?:preferred |favou?rite )?seat(?:ing)?(?: preference)?s?", "<i>[^，。？?]{0,8}(?:靠窗|靠?过道|靠?走道)还是", "(?:what|which)(?: kind of| type of)? seats? <am> (?:like|prefer|want|choose)|<am> (?:like|prefer) (?:the |an? )?(?:aisle|window)(?: seats?)? or"),
    ("schedule.wake", "起床时间", "wake-?up time", "<i>(?:几点|什么时候)钟?(?:起床|起来)", "(?:when|what time) <am> (?:get up|wake up|up)<end>"),
    ("schedule.sleep", "睡觉时间", "bed ?time", "<i>(?:几点|什么时候)钟?(?:睡觉?|上床)<了>", "(?:when|what time) <am> (?:go to (?:bed|sleep)|sleep)<end>"),
    ("devices.phone", "手机(?:型号)?", "(?:smart|mobile |cell )?phone(?: model)?", "", ""),
    ("devices.computer", "电脑|笔记本(?:电脑)?", "laptop|computer", "", ""),
    ("devices.car", "车|汽车|车型", "car", "", "what <am> drive<end>"),
    ("subscriptions", "订阅", "subscriptions?", "<i>订阅了?(?:什么|哪些)(?:服务)?<了>", "what <am> subscribed? to"),
    ("project.name", "项目", "project(?: name)?", "", ""),
    ("project.stack", "技术栈", "tech(?:nology)? stack", "", ""),
    ("instruction.language", "", "", "(?:用|说)(?:什么|哪种)(?:语言|话)(?:回答|回复|跟|和|对)(?:我|用户)", "(?:what|which) language should (?:you|i|we) (?:answer|reply|speak|write)"),
)  # fmt: skip

# The ways to ask for anything by what it is called: @.
_CALLED_ZH = (
    "<i>@(?:的?(?:名字|名称))?(?:分别|现在|具体)*(?:是|叫|为)(?:做|的)?(?:什么|啥|哪|谁|多少|几)",
    r"(?:\A|知道|记得|告诉我|查(?:一下|下)?|列出|回忆)\s*<i>@(?:是什么)?<了>",
    "<i>有(?:没有|什么|哪些|几个|多少个?|任何|啥)?(?:食物|药物)?@<了>",
    "<i>(?:在|住|用|开|上|读|念|学|做|坐|吃|服用|说|讲|偏好|喜欢|订阅)*(?:的是|的|着)?(?:什么|哪[个家所座款部台种些]?|啥)(?:样的|牌子的?|型号的?)?@(?:上班|工作|就职|任职|上学|毕业|读书|念书|里|的)*<了>",
)
_CALLED_EN = (
    "(?:what|who|which|when|where|how (?:much|long))(?:'s| is| are| was| were) <my>@(?:'s (?:full |first )?name)?<end>",
    r"(?:\A|(?:tell me|know|remember|recall|remind me(?: of)?|list|look up|name of) )<my>@<end>",
    "(?:do|does) <me> (?:currently |still )?have (?:any |an? )?(?:[a-z]+ )?@<end>",
    "(?:what|which|how many)(?: (?:kind|type|brand|model|make) of)? @ <am> (?:have|own|use|drive|live|take|prefer|like|speak|hold)(?: in)?<end>",
)
_STANDS_FOR = (
    ("<i>", _I_ZH), ("<me>", _I_EN), ("<my>", _MY_EN), ("<am>", _NOW), ("<ever>", _EVER), ("<end>", _END_EN), ("<了>", _END_ZH),
)  # fmt: skip


def _pattern(called: Sequence[str], more: Sequence[str]) -> re.Pattern[str]:
    """Join all the ways in both languages, each given as Chinese and English."""
    zh, en = (
        "|".join(
            [*(way.replace("@", f"(?:{name})") for way in ways if name), *filter(None, [other])]
        )
        for ways, name, other in zip((_CALLED_ZH, _CALLED_EN), called, more, strict=True)
    )
    both = "|".join(filter(None, [zh, en and f"{_B}(?:{en}){_E}"]))
    for sign, meant in _STANDS_FOR:
        both = both.replace(sign, meant)
    return re.compile(both)


_PATTERNS = [
    (name, _pattern((zh, en), (zh_too, en_too))) for name, zh, en, zh_too, en_too in _ASKED
]


def asked(text: str) -> frozenset[str]:
    """Return the attributes that a question about the person names, in either language.

    What is asked stands in the last lines; a long text before it is not read.
    """
    lower = text[-QUESTION.slot_length :].lower().strip()
    if not asks_about_person(lower):
        return frozenset()
    return frozenset(name for name, pattern in _PATTERNS if pattern.search(lower))
