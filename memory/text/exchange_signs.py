"""The words by which people say that one thing took another's place, in both languages."""

import re

_B, _E = "(?<![a-z])", "(?![a-z])"


def _r(zh: str, en: str) -> re.Pattern[str]:
    return re.compile(f"{zh}|{_B}(?:{en}){_E}", re.IGNORECASE)


_OF_WORK = "(?:项目|系统|产品|网站|官网|站点|站|服务|业务|仓库|团队|公司|店)"
_OF_WORK_EN = "(?:[a-z]+ )?(?:projects?|systems?|products?|sites?|websites?|services?|apps?|teams?|repos?|repository|repositories|codebases?|company|shop|clients?)"


# It says so by a verb …
EXCHANGED = _r(
    "[用喝吃坐骑开]回|换(?!洗|季|句|言|个角度)|改(?!天|进|善|正|一下|稿|错|口)|转(?:到|向|投|用|战|学)|切换?到|迁移?到|搬[到去来]|替换|取代|弃用|告别|放弃|变了|不再用|不[用喝吃][^，。]{0,10}了",
    r"switch(?:ed|ing)?(?: [\w' -]{1,40})?(?: over)? to|switch(?:ed)?|mov(?:ed|ing)(?: [\w' -]{1,40})?(?: over)? (?:to|onto)|moved on to|migrat(?:ed|ing)"
    r"|chang(?:ed|ing)(?: [\w' -]{1,40})?(?: over)? (?:to|for)|changed|(?:gone|went|going) (?:over to|with|back to)|returned to|back on|replac(?:ed|ing)|swapp(?:ed|ing)|instead|no longer"
    r"|(?:completed|finished|done with) (?:the|our|my) (?:migration|move|switch)|g[ia]ve(?:n)? up|dropped|(?:gone|went) off|convert(?:ed|ing) to|rewr(?:ite|iting|ote|itten)|upgraded to|traded|ditched",
)
# … or that it is so now.
NOW = _r(
    "现在|如今|目前|以后|今后|从今",
    r"now|nowadays|these days|from now on|as of (?:last|this|today|yesterday|now)|since (?:last|this|yesterday|january|february|march|april|may|june|july|august|september|october|november|december)",
)
SAYS_SO = re.compile(f"{EXCHANGED.pattern}|{NOW.pattern}", re.IGNORECASE)
# What is used as a rule …
HABIT = _r(
    "(?:我们?|咱们?)[^，。]{0,8}?(?:一般|平时|平常|通常|习惯|一直|主要|向来|从来|只)[只都就是会]{0,2}(?:用|选|喝|吃|点|买|坐|开|骑|听|穿|看)|(?:我们?|咱们?)[^，。]{0,8}(?:用|喝|吃|听|看|坐|开|骑)的(?:一直|都)?是|(?:我们?|咱们?)[^。]*用惯了",
    r"(?:i|we) (?:usually|mostly|always|mainly|only|normally|generally|tend to|just) (?:use|drink|take|have|run|write|edit|listen to|wear|read|eat|buy|go (?:to|with|by|for))|for [\w' -]{3,30} (?:i|we) (?:always |only |mostly )?use|(?:i|we) use [\w+.' -]{2,30} for",
)
# … or has been settled on.
SETTLED = _r(
    "(?:我们?|咱们?)[^，。]{0,6}(?:定|选|决定用|决定采用)的?(?:是|了)",
    r"(?:i|we)(?:'ve| have)? (?:settled|decided) on",
)
# It may come to be so, it is one more, it is the job that was changed, or somebody else's.
UNDECIDED = _r(
    "(?<![吉其])他|她|换单位|换工作|跳槽|转行|考虑|打算|准备|计划(?!变|改)|可能|如果|要是|要不要|建议|想(?=换|改|转|搬|试|用)|试试|下个?[月周]|明[年天]|以后再|也(?=用|喝|吃|在|有|开|会|想|喜欢|爱)|另外|还(?=用|有|喝|吃|在|想|会)|[吗呢？?]|没(?=换|改|搬|转)|不(?=换|改|搬|转)|别(?=换|改)"
    "|没有|并未|(?:未|要|将|(?<!开)会|(?<![佳功性智])能|可以|没能|无法|拒绝)(?=换|改|迁|转|切)|需要|希望|想把|过(?=[，。 A-Za-z])|备用",
    r"they|he|she|his|her|their|changed (?:jobs|careers|employers?)|might|may|maybe|perhaps|consider(?:ing)?|thinking (?:of|about)|want(?:s|ed)? to|would|should|could|if|try(?:ing)?|tried|plan(?:s|ning)? to|will|next (?:week|month|year)"
    r"|also|as well|too|besides|another|didn't|don't switch|haven't|won't|not (?:going to )?(?:switch|mov|chang)\w*|for (?:today|now|once|this)"
    r"|never|cannot|can not|can't|couldn't|don't|hop(?:e|es|ed|ing)|going to (?:switch|mov|chang|migrat)\w*|(?:need|have|has|had)(?:s|ed)? to|plan is|about to|can (?:switch|mov|chang|migrat)\w*|alongside|you|in (?:19|20)\d\d|switch\w* [\w ]{1,20} off|gone off",
)
_CALL = r"(?:the|this|that|today's|tonight's|yesterday's|this (?:morning|afternoon|evening|week)'s) (?!weekly|daily|monthly|regular)(?:[\w-]+ )?(?:call|meeting|stand-?up|sync|interview|class|lesson|session|webinar|retro|demo)"
# One call went there, and the others go on where they were.
OCCASION = _r(
    "(?:[今昨前]天|今[早晚]|昨晚|早上|上午|中午|下午|晚上|刚才|[这那][次场个]|本次)的?[^，。]{0,6}(?:会|会议|电话|通话|面试|课)(?=[^，。]{0,6}[改换转切挪移])|(?<![的开周例月])会议?(?:已经?|临时)?[改换转切挪移]到",
    _CALL
    + r"(?: (?:is|was|has|has been|got|just))* (?:switch|mov|chang|transferr)(?:ed|ing)|(?:switch|mov|chang)(?:ed|ing) "
    + _CALL,
)
# Of what is taken anew each time, it speaks of one time.
ONE_TIME = _r(
    "[今昨前]天(?!起|开始|以后)|今[早晚]|昨晚|刚才|这[次趟回]|正[在坐骑开喝吃用打]|临时|在[^，。]{0,8}(?:车|地铁|公交|飞机|高铁|路)上(?!班)",
    r"(?<!as of )(?<!from )(?<!since )(?:today|tonight|yesterday|this (?:morning|afternoon|evening|time))|(?:switch|mov|chang|tak|driv|rid|go)ing [^.,;]{0,40}now|(?:i'm|i am|we're|we are)(?: [a-z]+)? on (?:the|a|my|our)",
)
# Who says only that it is so now says by such words that it is so as a rule …
AS_RULE = _r(
    "用|每天|天天|都|一般|平时",
    "use|take|ride|cycle|walk|drive|drink|have|pay|usually|mostly|always|daily|every (?:day|morning|week)",
)
# … and by such that it can be so, or of something else: that it fails, that it is a new one.
CAN = _r(
    "会用|[可能]以?(?=用|使|付|支付)|支持|学会|[打登连]不[开上]|用不了|[崩挂坏卡]了|更新",
    r"can|able to|knows?|learn(?:t|ed)|supports?|updat\w*|down|broken|slow|crash\w*|not working|isn't",
)
# Who says no more than where they went, went there: names of things that are names of places as well.
MOVED_THERE = re.compile(
    r"搬[到去来]了?(?:Phoenix|Java)(?![a-z])|(?<![a-z])(?:i|we)(?:'ve| have)?(?: \w+)? (?:moved|relocated|moving|relocating)(?: over| back)? to (?:Phoenix|Java)(?![a-z])",
    re.IGNORECASE,
)
# What comes after it is what took the place.
TOWARD = _r(
    "(?:(?:换|改|转|切换?|迁移?|搬|挪)回?|[用喝吃坐骑开]回)(?:成|到|为|用|喝|吃|骑|坐|穿|学|练|打|开|选|投|向|去|来|回)?(?:了?[台部辆个款双张家])?",
    r"(?:switch|mov|migrat|chang|convert|upgrad)(?:e|ed|ing)?(?: [\w' -]{1,40}?)?(?: over)? (?:to|onto|for)|(?:gone|went|going) (?:over to|with|back to)|returned to|back on"
    r"|(?:migration|move|switch)(?: [\w' -]{1,40}?)? to|(?:replac|swapp|trad|dropp|ditch)(?:ed|ing) [^.,;:]{1,40}? (?:with|by|for)|joined|rewr(?:ite|iting|ote|itten) [^.,;:]{1,40}? (?:in|with)",
)
# What is said to be over.
OVER = re.compile(
    r"(?:从|不再[用喝吃坐住开弹打学练骑听看]|不[用喝吃坐住开要弹打学练骑听看]|弃用|放弃了?|告别|替换了?|替掉|把)(?P<x>[^，。；,;]{1,20}?)(?=换|改|迁|转|搬|切|了|，|。|,|\Z)"
    r"|(?P<s>[^，。；,;]{1,12}?)(?:我|就|先)?(?:放下|停)了"
     "|" + _B + r"(?:instead of|no longer(?: use)?|replac(?:ed|ing)|swapp(?:ed|ing)|ditched|dropped|g[ia]ven? up|traded|not|sold)" + _E
    + r" (?P<y>[^.,;:]{1,40}?)(?= (?:with|for|by|and|but|to|any)" + _E + r"|[.,;:]|\Z)|" + _B + r"from (?P<z>[^.,;:]{1,40}?)(?= (?:to|over)" + _E + ")",
    re.IGNORECASE,
)  # fmt: skip
# An earlier statement that does not say that it is so: it was, it is not, it may be.
NOT_HELD = _r(
    "[在到][^，。]{1,12}(?:上班|工作|任职|实习)|以前|曾|从前|原先|小时候|[学去用试吃喝读看]过|讨厌|不[喜爱吃喝用想能要再]|没|别(?![的人处])|过敏|考虑|打算|想[要用换]|如果|要是|可能|戒|会[写用A-Za-z]|懂|熟悉|擅长|精通",
    r"works? (?:at|for|with)|employed|intern(?:ing|ed)? at|used to|formerly|previously|hates?|dislikes?|can't|cannot|don't|doesn't|never|no longer|not|tried|allerg\w+|want to|plan(?:s|ning)? to|thinking|maybe|might|if|quit|stopped|without|knows?|familiar|experience[ds]?|expert|good at|certified",
)
CLAUSE = re.compile(
    r"[，。；;！!？?：:\n]+|,(?!\d)|\.(?=\s|\Z)|(?<![a-z])(?:and|but|because)(?![a-z])|但是?|因为"
)
MINE = _r("我(?!们)", "i|i'm|i've|my|me|myself")
OURS = _r("我们|咱们?|公司|团队|组里|部门|项目", "we|we're|we've|our|us|team|company")
# What says nothing of what it is for: who and when, that it was decided, how it is used.
IDLE = _r(
    "我们?|咱们?|公司|团队|组里|部门|大家|家里|项目|最近|统一|全部|[全都]|已经|刚刚?|(?:上|这)?(?:周|星期|礼拜)[一二三四五六日天末]|上周|上个?月|这个?月|这周|今年|去年|周末|起|以来|昨天|前天|今天|今早|终于|决定|会上|定了|定的?是?|方案|计划|正式|一直|平时|平常|一般|习惯|通常|开始"
    "|[换改用喝吃坐骑开搬转]回|现在|如今|目前|以后|今后|从今|新|换成|换到|换了?|改成|改为|改用|改|转到|转投|转向|转|切换到?|切到|迁移到|迁到|迁|搬到|搬去|搬来|搬|采用|使用|选用|用的?|写的?|跑|存|放|做|喝的?|吃|骑|坐|开的?|学|练|打|选|成|为|到|在|是|了|的|台|部|辆|款|个|只|最|爱|喜欢|偏好|偏爱|口味|变了?|还是|吧|啦|靠|身体|每[天周]|早上|又|重新|回来|原来|那个|别的|软件|东西|从|把|办|寄|那边|这边|主要|数据",
    r"i|i'm|i've|we|we're|we've|my|our|us|me|myself|the|a|an|it|its|that|this|team|company|everybody|everyone|all|everything|just|recently|finally|last|week|month|year|as|since|joined|join|started|starting|start|finished|completed|done|dropped|ditched|gave|given|migration|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|in (?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|yesterday|today|ago|decided|decide|settled|agreed|plan|plans|officially|now|nowadays|these days|from now on|instead|usually|usual|mostly|always|generally|mainly|favou?rite|preferred|new|old"
    r"|switch(?:ed|ing)?|mov(?:ed|ing|e)|migrat(?:ed|ing|e)|chang(?:ed|ing|e)|gone|went|going|replac(?:ed|ing)|swapp(?:ed|ing)|over|back|again|returned|on|onto|to|with|for|from|by|in|at|as|of|off|up|out|use|uses|using|used|run|runs|running on|write|written|rewrite|rewriting|rewrote|take|takes|have|has|had|got|get|gets|made|make|keep|kept|live|lives|is|are|be|been"
    r"|drink|drinks|eat|love|like|prefer|enjoy|play|do|go|goes|mind|mornings|app|tool|software|one|thing|order|orders from|book|edit|listen|host|store|knee|took|taken|account",
)  # fmt: skip
# Where or for what it is so: what is said of one such place says nothing of another, nor of the rest.
PLACES = (
    ("work", _r(
        "在?(?:公司|单位|办公室)里?(?=[我都就也还是]{0,2}[用换改])|上班(?:时|的?时候)?(?=[我都就也还是]{0,2}[用换改](?![骑坐开走]))|在(?:公司|单位|办公室)|工作(?:时|中|上|电脑|用的)|办公(?:时|用)",
        r"at (?:the )?(?:work|office)|for work|(?:work|office|company) (?:laptop|computer|phone|machine|account|desktop|pc)",
    )),
    ("home", _r("(?:在|我们?|咱们?)家(?![乡庭人])|家里|家用|私下|私人|个人|自己的", r"at home|privately|personal|(?:home|own|private) (?:laptop|computer|phone|machine|account|server|desktop|pc)")),
    ("new", _r(f"(?<![到成为用了个款])新的?{_OF_WORK}", f"(?<!a )new {_OF_WORK_EN}")),
    ("old", _r(f"[老旧]的?{_OF_WORK}", f"(?:old|legacy|existing) {_OF_WORK_EN}")),
)  # fmt: skip
# A return: what it names may hold again.
STILL = _r(
    "又|回(?!答|复|来再)|还是|仍|依然|继续|现在",
    "back|again|still|now|kept|keep(?:s|ing)?|stay(?:s|ed|ing)?|stuck with|returned",
)
COUNTED = re.compile("[a-z]*[0-9][a-z0-9.,:]*", re.IGNORECASE)
LIGHT = frozenset(("use", "have", "like", "drink", "eat", "play", "go", "do", "work", "live", "daily", "the", "home", "company", "want", "no", "not"))  # fmt: skip
