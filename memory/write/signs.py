"""Signs that a sentence is not to be remembered, each with the reason that is recorded.

In patterns of this package `~` stands for an ASCII word edge: the usual escape is blind next to Chinese.
"""

import re
from collections import Counter
from dataclasses import dataclass

from memory.choices import Reason

_PART = re.compile("<([A-Z]+)>")
_EDGE = r"(?:(?<![0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<=[0-9A-Za-z_])(?![0-9A-Za-z_]))"


def compiled(pattern: str, **parts: str) -> re.Pattern[str]:
    """A case-blind pattern; `~` is an ASCII word edge and `<NAME>` inserts a part.

    A group may be named several times: the later ones get a number (`group` finds them all).
    """
    while (found := _PART.search(pattern)) is not None:
        pattern = pattern.replace(found.group(), parts[found[1]])
    counts: Counter[str] = Counter()

    def numbered(match: re.Match[str]) -> str:
        counts[match[1]] += 1
        return f"(?P<{match[1]}{counts[match[1]]}>"

    pattern = re.sub(r"\(\?P<([a-z]+)\d*>", numbered, pattern)
    return re.compile(pattern.replace("~", _EDGE), re.IGNORECASE)


def group(match: re.Match[str], name: str) -> str | None:
    """What the groups of this name caught, whichever of them it was."""
    for key, value in match.groupdict().items():
        if value and key.rstrip("0123456789") == name:
            return value.strip()
    return None


@dataclass(frozen=True, slots=True)
class Sign:
    """A reason and how it shows."""

    reason: Reason
    pattern: re.Pattern[str]


DO_NOT = compiled(
    r"(?<!千万)(?:别|不要|不用|无需|不必|甭)(?:把(?:它|这个|这句话?|这事|刚才[^，。]{0,6}|那句话?)?)?(?:帮我|给我|去"
    r"|再)?(?:记(?!错|得|仇|恨|混|反)(?:住|下来?|录|在)?|存(?!在|钱)(?:下来|档)?|保存|写(?:进|入)记忆)"
    r"|(?:不|别)(?:想|希望)?(?:让)?你?记(?:住|下)(?:这|那|它)|听听就好"
    r"|~(?:don'?t|do not|please don'?t|no need to|never|you needn'?t) (?:ever )?(?:remember"
    r"|save|store|record|memori[sz]e|log|note|keep)(?: (?:this|that|it|what|any|my|the|down"
    r"|a record))"
    r"|~(?:don'?t|do not) (?:remember|memori[sz]e|save|store|record) ?(?:[.!:,]|\Z)"
    r"|~stop (?:remembering|saving|storing|recording|keeping) (?:my|our|where|how|what|that)~"
    r"|~off the record~|~forget (?:what i (?:just )?said|i said (?:that|it)|that last)"
    r"|~keep this out of (?:your )?(?:memory|notes)"
)
ABOUT_PREVIOUS = compiled(
    r"刚才|刚刚|上一?[句条]|前一?[句条]|那[句条]|上面|前面|~(?:that|what i (?:just )?said|previous|last (?:one"
    r"|message|bit|part)|above)~"
)
ABOUT_NEXT = compiled(
    r"下面|接下来|下一?句|~(?:following|next (?:bit|part|sentence|thing)|what follows)~"
)
# Nobody says this about themselves, so it is refused even in the person's own message.
ORDER_TO_MACHINE = compiled(
    r"~(?:ignore|disregard|forget|override|bypass|overrule)~[^.!?\n]{0,20}~(?:previous|prior|above|earlier|safety|system"
    r"|your (?:rules?|instructions?|guidelines?|polic(?:y|ies))|all (?:rules|instructions))"
    r"|~(?:reveal|print|show|output) (?:me )?(?:your|the) system prompt|~system (?:prompt|override|instruction)"
    r"|~you are now (?:an? )?(?:[\w-]+ ){0,3}(?:bot|ai|mode|unrestricted|dan|debug\w*|root|admin\w*|(?-i:[A-Z]\w*Bot))~|~jailbreak~"
    r"|~developer mode~|~admin(?:istrator)? mode~"
    r"|</?(?:system|instructions?|assistant|tool)>|\[/?(?:INST|SYSTEM)\]|(?:\A|\n)#{2,} ?(?:system|instructions?)~"
    r"|~begin system prompt"
    r"|(?:忽略|无视|忘掉|不要(?:遵守|理会)|跳过|越过|绕过)[^，。！？\n]{0,8}(?:之前|以上|前面|上述|先前|所有|一切|你的|安全|系统)[^，。！？\n]{0,6}(?:指令|规则|提示|设定|规定|要求|限制)"
    r"|忽略(?:以上|上述|前面|之前)(?:的)?(?:内容|一切|全部)|系统(?:提示词?|指令|越权|覆盖)|(?:开发者|调试|管理员|越狱)模式|你(?:现在|已)(?:是|进入)[^，。]{0,10}(?:机器人|模式|不受限制|管理员)"
    r"|【系统|\[系统"
)
# What follows is a text to work on, not the person's word.
PASTE = compiled(
    r"\A(?:(?:please|can you|could you|now|also|and|hi|hey)[, ]+){0,3}(?:summari[sz]e|translate|proofread|review|explain|rewrite|rephrase"
    r"|paraphrase|analy[sz]e|edit|shorten|re-write|polish|correct|convert)~[^.!?\n:]{0,60}:"
    r"|\A(?![^:]{0,40}~(?:my|our)~)[^.!?\n:]{0,40}~(?:page|article|e-?mail|mail|log|document|readme|export|transcript|prompt|post"
    r"|paper|passage|paragraph|excerpt|abstract|lyrics|message below|text below)~(?: (?:says?|said|reads?|text|below|export|content))?"
    r"[^.!?\n:]{0,3}:|\Awhat does (?:this|the) (?:mail|email|letter|page|text|message|document) say"
    r"|(?:总结|翻译|校对|润色|改写|解释|检查|分析|缩写|点评|看看|看一?下)(?:一下|下)?(?:这|以下|下面|下列)?[^，。！？\n：:]{0,12}[：:]"
    r"|(?:网页|邮件|文章|文档|日志|记录|说明文件|页面|帖子|这封信|原文|正文)[^，。！？\n：:]{0,3}(?:如下|写着|上说|里说|说了什么|文字|内容)[^：:\n]{0,4}[：:]"
)
JOKE = compiled(
    r"开个?玩笑|别当真|不要当真|逗你|说笑|瞎说的|骗你的|狗头|\[doge\]|\(doge\)|才怪|呵呵|🙃|🤡|~(?:just |only )?kidding~|~jk~|(?:\s"
    r"|\A)/s\s*\Z|~lmao~|~yeah,? right~|~as if[!.]|~sarcasm~|~not really,? lol|~just joking~"
    # A plan that ends in laughter is none.
    r"|我(?:要|得)[^。！？]{1,30}[，, ](?:哈{3,}|笑死|h{3,}|2333*)[^，。]{0,3}[。！!～]*\Z"
    r"|~(?:i'?m (?:going to|gonna)|i'll|i will)~[^.!?]{1,60}[, ](?:(?:ha){2,}h?|lol|rofl|hehe)[.!]*\Z"
)
FICTION = compiled(
    r"假设(?:我|你|一个|咱们)|编个?(?:一?个)?(?:案例|故事|段子)|角色扮演|扮演|假装|(?<!科幻|侦探|推理|武侠|言情)小说里?|剧本(?!编辑|杀|统筹)|剧情|(?:写|讲)一?(?:个|篇|段"
    r"|首)(?:[^，。]{0,8})(?:故事|小说|剧本|诗|童话)|主人公|主角"
    r"|~(?:role[- ]?play(?:ing)?|pretend(?:ing)?|make[- ]believe|imagine (?:that |you|i|we|a)"
    r"|in (?:my|the|this) (?:novel|story|screenplay|game)|fictional|"
    r"write (?:me )?(?:a|an|the) (?:\w+ ){0,3}(?:story|poem|song|novel|scene|screenplay|script"
    r"|essay|dialogue)|act as|you are playing|my character|let'?s say (?:i|we|you)"
    r"|once upon a time|the protagonist)~"
)
HYPOTHETICAL = compiled(
    r"(?:如果|假如|要是|假使|倘若|若是|万一|就算|哪怕)(?:有一?天|哪天|哪一?天|真的?|以后|让)?(?:我|我们|咱们?|能|可以)|有一?天我(?:能|要是)"
    r"|我要是|我如果|换(?:作|成|做)是?我"
    r"|~if (?:only )?(?:i|we) (?:were|was|had|could|ever|got|did|won|moved|lived|became|would"
    r"|might)~|~(?:i|we)(?:'d| would) (?:have |probably |definitely |rather not )?\w+ if~"
    r"|~suppose (?:i|we|that)~|~what if~|~hypothetically~|~were i to~"
    r"|~i wish (?:i|we|it|there|they|he|she) (?:were|was|had|could|would|did|didn'?t|weren'?t|wasn'?t)~"
)
SAID_BY_OTHERS = compiled(
    r"\A(?:>|&gt;)|(?:他|她|他们|她们|有人|人家|网友|专家|书上?|文章|新闻|老话|俗话|歌词|台词|客户|老板|同事|朋友|老师|妈妈?"
    r"|爸爸?)[^，。：:]{0,8}(?:说|写道?|讲|问|回|唱|告诉我|认为|觉得|建议)(?:过|道|了|着|的是)?[，：:]? ?[“「\"『]"
    r"|(?:他|她|他们|她们|有人|人家|网友|专家|文章|新闻|老话|俗话|书上|歌词)[^，。]{0,4}(?:说|写道|认为|觉得)(?!服)"
    r"|~(?:he|she|they|someone|somebody|people|everyone|the (?:article|book|author|news|movie"
    r"|song)|my (?:boss|friend|colleague|mom|mother|dad|father|sister|brother|teacher|client"
    r"|manager)) (?:\w+ )?(?:said|says|told me|wrote|writes|claims?|claimed|quoted|thinks?"
    r"|believes?|asked|goes)[,:]? ?(?:that ~|[\"“'‘]|i~|he~|she~|they~)"
    r"|~(?:he|she|they|someone|somebody) (?:\w+ )?(?:said|says|wrote|writes|posted|posts|texted|replied|commented)~[^.!?:\"“]{1,30}[:,] ?[\"“'‘]"
    r"|~(?:according to|as the saying goes|the lyrics?|quote (?:from|unquote|of the day))~|~quote[:,]"
)
FROM_A_DOCTOR = compiled(
    r"医生|大夫|体检|化验|~(?:doctor|dentist|physician|gp|therapist|nutritionist|vet)~"
)
TRANSIENT = compiled(
    r"(?:现在|此刻|今天|今晚|刚才|有点|有些|这会儿|好|太|快|真)[^，。]{0,6}(?:累|困|冷|热|饿|渴|烦|无聊|开心|难受|头疼|头痛|晕|堵|吵|忙"
    r"|emo|生气|郁闷|不舒服|没精神|没胃口)(?:了|啊|死了?|呢|呀|的|，|。|！|!|,|\Z)"
    r"|(?:先这样|马上回来|等一下|等会儿?|稍等|在路上|到了吗|出门了|要去睡了|去睡了|睡了|下班了|吃饭去|要开会了"
    r"|(?:一|待|等)?会儿?再(?=[看说弄来])|等我(?:缓|歇|一下|一会)|先(?:歇|缓)(?:一下|会儿?|口气)|心情(?:不错|不好|很?差|很?好)|没电了)"
    r"|~(?:i'?m|i am|i feel|feeling|i'm feeling|i was) (?:(?:a (?:bit|little)|so|really|very"
    r"|kind of|kinda|pretty|just|quite|too|super) )*(?:tired|cold|hot|hungry|sleepy|bored"
    r"|thirsty|exhausted|busy|sad|stressed|annoyed|happy|upset|excited|cranky|hungover|fine"
    r"|okay|ok|good|great|back|here|ready|confused|stuck|lost|sorry|glad)(?: (?:today|now"
    r"|right now|tonight|this (?:morning|evening)|at the moment|so|and|to))?(?:[,.!?]|\Z| )"
    r"|~(?:brb|be right back|one sec|hold on|gtg|got to go|heading out|running late|right now"
    r"|at the moment|on my way|(?:standing|waiting|stuck) in (?:a |the )?(?:line|queue|traffic)|a bit of a headache)~|~currently stuck~|此刻|目前卡住"
    r"|~(?:give me a (?:sec|second|minute|moment)|one moment|back in a (?:bit|sec|minute)|got a (?:minute|second))~"
)
# Whatever else it looks like, it is over in an hour.
AT_THE_MOMENT = compiled(
    r"~my (?:phone|battery|laptop) is (?:about to die|dying|almost dead|at [0-9]+ ?%)"
    r"|~my (?:eyes?|head|stomach|tummy|feet|legs?|throat) (?:is|are) (?:a (?:bit|little) (?:sore|tired|stiff|numb)|growling|rumbling)"
    r"|~i'?m (?:on|in) the (?:subway|bus|train|lift|elevator|metro|tram|shower|middle of something)~"
    r"|~i(?:'ve)? just (?:got out of (?:a|the|my) (?:meeting|call|shower)|woke up|sat down|missed the bus)~"
    r"|我(?:现在|正)?在(?:地铁|公交|电梯|高铁|飞机|路)上?[^，。]{0,4}[，,][^，。]{0,8}(?:信号|听不清|不方便|不好说)|我正在(?:地铁|公交|电梯|高铁)"
)
WEATHER = compiled(
    r"天气|下雨|下雪|降温|升温|太阳|气温|雾霾|刮风|(?:喝|吃|点|买)(?:了|完|着)?(?:一)?(?:点|些|杯|碗|顿|个|份)?(?:咖啡|奶茶|早饭|早餐"
    r"|午饭|午餐|晚饭|晚餐|外卖|宵夜|夜宵|面条|米饭|泡面|茶)(?:了|吧|\Z|，|。|！|,)"
    r"|~(?:the )?weather~|~(?:it'?s|it is|it was) (?:so |really |very |a bit |quite "
    r"|pretty )?(?:sunny|rainy|raining|snowing|cold|hot|windy|cloudy|nice|lovely|beautiful"
    r"|warm|chilly) (?:out(?:side)?|today|here|day|again)|~(?:had|drank|grabbed|having"
    r"|drinking|made|got) (?:a |an |some |my )?(?:(?:cup of|nice|good|morning|second|quick"
    r"|hot) )*(?:coffee|tea|breakfast|lunch|dinner|sandwich|snack)~(?! (?:with|at) )"
)
QUESTION = compiled(
    r"[?？]\s*[\"”」』)）]*\s*\Z|(?:吗|么|呢|嘛)[。!！～]*\Z|\A(?:请问|为什么|为啥|怎么|如何|什么|哪|谁|几|多少|能不能|可不可以"
    r"|是不是|有没有|要不要|会不会|能否|可否|是否|想问|问一?下)"
    r"|(?:是什么|怎么办|怎么样|怎么做|怎么写|多少钱|哪(?:里|个|家|些)|为什么|好不好|行不行|推荐(?:一下|一些|几[个部本首家条款]|点)|有什么(?:好|推荐|建议)"
    r"|\A(?:写|拟|列|算|查|翻译|总结|润色|改写|推荐|说说|讲讲)(?:一?[下个篇段首份封句张些]|[两三四五六七八九几0-9])[^我]*\Z"
    r"|\A把[^，。我]{1,12}(?:改|换|翻译|缩|删|写|调|压)[^我]*\Z"
    r"|帮我(?!记)|给我(?:写|讲|来|推荐|列|做|一)|请(?:帮|给我|写|解释|介绍|推荐|列|翻译|总结|生成|分析))"
    r"|\A(?:(?:hi|hey|hello|so|ok|okay|and|but|well|also|now|then|please|oh|hmm"
    r"|um)[,.! ]+){0,3}(?:(?:what|which|who|whose|whom|when|where|why|how)~(?! (?:i|we|my|our)~)|is|are|am|was|were|do"
    r"|does|did|can|could|would|will|should|shall|may|might|has|have|had|isn'?t|aren'?t"
    r"|don'?t you|doesn'?t|any|anything|anyone|what'?s|how'?s|where'?s|who'?s|when'?s)~(?!ever"
    r"|['’]t(?! (?:you|we|i|he|she|they|it|this|that)~))(?! (?:i was|i am|i'm) )"
    r"|\A(?:please )?(?:write|explain|generate|summari[sz]e|translate|list|give me|tell me"
    r"|show me|create|describe|suggest|recommend|help me|find|convert|calculate|compare"
    r"|make me|draft|rewrite|re-write|provide|classify|fix|analy[sz]e|act|outline|design"
    r"|develop|implement|solve|compute|name|continue|improve|rephrase|review|discuss|define"
    r"|identify|build|come up|polish|proofread|make (?:the|this|it|that|them))~"
    r"|~(?:i wonder|i was wondering|i'?d like to know|i want to know|could you|can you"
    r"|would you|do you (?:have|know|think)|what do you think|any (?:ideas|suggestions|tips"
    r"|recommendations)|let me know (?:if|what|how))~"
)
# "Write all comments in English from now on." asks for nothing now.
STANDING = compiled(
    r"\A(?!.*[?？]\s*\Z)(?:.*~(?:from now on|going forward|in (?:the )?future|henceforth)~|.*(?:别|不要)再(?:给我|推荐|推送)|.*一律)"
)
_LONGEST_SMALL_TALK = 90
_SMALL_TALK = (
    "hi hey hello yo good morning evening afternoon night thanks thank thx ty you a lot so "
    "much again very many cheers "
    "bye goodbye see ya later soon tomorrow take care ok okay k yes yeah yep yup no nope nah "
    "sure cool nice great awesome "
    "perfect got it sounds problem np right exactly lol haha hahaha wow hmm hm well alright "
    "fine welcome you're youre there "
    "everyone all for your the help recommendation recommendations answer reply advice "
    "suggestion suggestions support time "
    "i i'll understand agree know me too same here bot ai assistant and nice to meet how are "
    "what's up of course absolutely "
    "definitely indeed true will do that's that is makes sense appreciate really super kind "
    "lovely wonderful excellent amazing "
    "my friend man dude buddy guy please also oh ah um uh helps helped helpful"
)
_SMALL_WORDS = frozenset(_SMALL_TALK.split())
_SMALL_ZH = re.compile(
    "很高兴认识|早上好|晚上好|下午好|中午好|不客气|没问题|谢谢|多谢|感谢|谢了|辛苦|你好|您好|大家好|早安|晚安|再见|拜拜|明天见|回头见|收到|"
    "明白|知道|了解|没错|当然|真的|太好|真棒|厉害|加油|不错|好吧|好的|可以|没事|在吗|在不在|助手|伴侣|建议|推荐|帮助|帮忙|"
    "[嗯哦噢啊哈呵嘿嗨喂好行早懂对是嘻呜了啦呀吧的你您我呢嘛哟唉诶太很非常都也]"
)
_WORD_OR_HAN = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?|[0-9\u3400-\u9fff]")


def is_small_talk(text: str) -> bool:
    """Whether nothing but greeting, thanks, praise and nodding is left in a short text."""
    if len(text) > _LONGEST_SMALL_TALK:
        return False
    rest = _WORD_OR_HAN.findall(_SMALL_ZH.sub("", text))
    return all(word.lower().replace("’", "'") in _SMALL_WORDS for word in rest)


PROCESS = compiled(
    r"\A(?:请|please |ok,? |okay,? )?(?:继续|接着(?:说|写|来)|下一?[步个条]|重来|再来(?:一[次遍个])?|重新(?:来|写|生成)"
    r"|展开(?:说说)?|停|暂停|开始吧?|改一?下|再试(?:一次|试)?|换一?个|详细点?|简短点|不对|错了|上一?[步个])[^，。]{0,6}[。.!！]*\Z"
    r"|\A(?:please |ok,? |okay,? |yes,? )?(?:continue|go on|go ahead|next(?: (?:one|step))?"
    r"|keep going|more|try again|again|redo|retry|start over|stop|proceed|carry on|elaborate"
    r"|shorter|longer|do it|run it|let'?s (?:start|begin|continue|move on|see|go|do (?:it|this"
    r"|that)))(?: please| then| now| with (?:this|that|it))?[.! ]*\Z"
    r"|我(?:也|们|以后)?会(?:再|去|好好|认真|继续|努力|多|试着|慢慢)*(?:试试?|尝试|看看|看一下|试一下|注意|考虑|参考|努力|加油|的)(?!吃|喝"
    r"|辣)|\A第[一二两三四五六七八九十0-9]+[点条段句项页章][^我]{0,12}\Z|\A(?:不对|不行)[，,](?![^。！]*[0-9我咱])|\A太[长短啰正][^我]{0,12}\Z"
    r"|\A(?:这|那)?个?(?:标题|格式|排版|开头|结尾|语气|答案|结果)[^，。我]{0,6}(?:不好|不对|乱了?|错了?|有误)[。！!]*\Z"
    r"|\A你(?:又|好像|是不是)?(?:漏|写错|搞错|弄错|重复)了"
    r"|\A(?:no, )?(?:start over|expand|delete|reword|shorten)~[^.!?]{0,20}[.!]*\Z"
    r"|\A(?:that|the|this) (?:title|layout|format(?:ting)?|opening|ending|tone|answer|result) (?:is|looks) (?:\w+ )?(?:weak|broken|wrong|bad|off)~"
    r"|\Ayou (?:dropped|missed|forgot|repeated|skipped) (?:a|one|the)~"
    r"|聊天(?:今天)?(?:结束|就到)|下次再聊|来(?:和|跟|找)你聊|已经?记(?:下来?|住)了"
    r"|~i(?:'ll| will)(?: definitely| certainly| also)? (?:try (?:it|that|them|this|to (?:do"
    r"|follow|implement|read)|out)|give (?:it|them|that) a|check (?:it|them|that|out)"
    r"|think about it|consider (?:it|your|that)|keep (?:it|that|this) in mind|take a look"
    r"|let you know)~"
    r"|\A(?:as (?:i|we) (?:said|discussed)|i (?:mean|meant)|never mind|nevermind|my bad|i sent"
    r"|here (?:is|are) (?:the|my|a|some)~)"
)
ELSEWHERE = compiled(
    r"(?:订单|快递|包裹|物流)[^，。]{0,16}(?:已?发货|签收|派送|在途|揽收|到哪)|(?:账户|余额|库存)(?:还剩|余额|还有|剩余?|是"
    r"|为)[^，。]{0,4}[0-9一二两三四五六七八九十百千万]|(?:付|扣|退)的?款[^。！？]{0,12}(?:没到账|未到账|重复|失败)"
    r"|~(?:order|parcel|package|shipment)~[^.!?]{0,30}~(?:shipped|delivered|in transit"
    r"|out for delivery|dispatched|signed for)~|~(?:i|we) (?:paid|was charged|were charged)~[^.!?]{0,30}~(?:charged|never arrived|twice)~"
    r"|~(?:account balance|stock level|balance) (?:is|was|shows"
    r"|of)~[^.!?]{0,8}[0-9]|~[0-9]+ (?:units )?(?:left )?in stock~"
)
# "My weight is a secret" keeps it.
UNTOLD = compiled(
    r"是个?(?:秘密|机密)|不告诉你|保密[。！!]*\Z|~(?:is|are|remains?) (?:a |my |top )?secret~"
)
SIGNS: tuple[Sign, ...] = (
    Sign(Reason.INSTRUCTION_LIKE, ORDER_TO_MACHINE),
    Sign(Reason.JOKE, JOKE),
    Sign(Reason.PROCESS, PROCESS),
    Sign(Reason.TRANSIENT, AT_THE_MOMENT),
    Sign(Reason.FICTION, FICTION),
    Sign(Reason.HYPOTHETICAL, HYPOTHETICAL),
    Sign(Reason.AUTHORITATIVE_ELSEWHERE, ELSEWHERE),
    Sign(Reason.EMPTY, UNTOLD),
)
FRAME = compiled(
    r"~(?:let'?s (?:role[- ]?play|pretend|play a game)|pretend (?:that|to be|you)"
    r"|role[- ]?play|imagine (?:that|you)|write (?:me )?(?:a|an|the) (?:\w+ ){0,3}(?:story"
    r"|poem|song|novel|scene|screenplay|script|dialogue)|in (?:my|the|this) (?:novel|story"
    r"|screenplay))~"
    r"|编个?(?:一?个)?(?:案例|故事|段子)|角色扮演|(?:来|玩)个?(?:剧情|扮演)|咱们假设|(?:写|讲)一?(?:个|篇|段)[^，。]{0,8}(?:故事"
    r"|小说|剧本|童话)"
)
THIS_TIME = compiled(
    r"这[次轮回遍](?!以后|开始|起)|本[次轮]|只(?:是|用)?这一?次|先别|暂时|~(?:this time|for now|just this once"
    r"|this once|for this (?:one|answer|reply|task|question)|in this (?:answer|reply|message)"
    r"|right now)~"
)
# A wish that the assistant does something now; "how about you?" is none.
REQUEST = compiled(
    r"~(?:recommend\w*|suggest\w*|can you|could you|would you|will you|please|help me|give me"
    r"|show me|tell me|write|draft|what (?:are|is|would be) (?:some|a|an|the)|which|"
    r"what (?:\w+ ){1,3}(?:should|would|could|can) (?:i|you)|should i|where (?:should|can"
    r"|could) i|how (?:do|can|should|could|would) i|what do you (?:recommend|suggest)"
    r"|any (?:ideas|suggestions|tips|recommendations|advice))~"
    r"|推荐|建议|帮我|给我|请问|怎么|如何|哪些|哪里|有没有|能不能|可不可以|写一|什么.{0,8}(?:好|合适|适合)"
)
FIRST_PERSON = compiled(
    r"我|咱|俺|本人|~(?:i|i'm|i've|i'd|i'll|my|me|mine|we|we're|we've|we'll|our|ours|us|myself)~"
)
