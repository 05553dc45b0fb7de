"""Special topics (level 40): health, belief, sexuality, finance, minors. Words, not judgement.

A word here hides a memory from ordinary agents, so everyday senses stay out ("health check" of a
server, the zodiac's Cancer 巨蟹座, a project's budget).
"""

import re
from collections.abc import Iterator

from memory.write.near import lowered

_EN_WORDS: dict[str, str] = {
    "HEALTH": (
        "asthma diabetes diabetic hypertension cancer tumor tumour chemotherapy arthritis "
        "depression depressed "
        "bipolar adhd autism autistic ptsd ocd anxiety schizophrenia epilepsy epileptic migraine "
        "migraines hiv aids "
        "hepatitis pregnant pregnancy miscarriage ivf obesity obese insomnia anorexia bulimia "
        "allergy allergies "
        "allergic anaphylaxis epipen coeliac celiac lactose-intolerant intolerance eczema "
        "psoriasis stroke dementia "
        "alzheimer alzheimers parkinson covid pneumonia tuberculosis anemia anaemia thyroid gout "
        "arrhythmia "
        "osteoporosis endometriosis pcos fibromyalgia herpes syphilis diagnosis diagnosed "
        "symptoms prescribed "
        "prescription medication medications insulin metformin ibuprofen paracetamol aspirin "
        "lipitor lithium "
        "penicillin amoxicillin antidepressant antidepressants ssri prozac xanax zoloft therapist "
        "psychiatrist "
        "psychologist oncologist cardiologist dialysis transplant surgery rehab alcoholic "
        "sobriety disability "
        "disabled wheelchair infertility menopause overdose suicidal self-harm"
    ),
    "BELIEF": (
        "muslim christian catholic protestant orthodox jewish buddhist hindu sikh atheist "
        "agnostic mormon quran "
        "bible mosque synagogue ramadan baptised baptized republican democrat communist socialist "
        "conservative "
        "trade-union church prayer praying halal kosher"
    ),
    "SEXUALITY": (
        "gay lesbian bisexual transgender trans queer nonbinary non-binary pansexual asexual lgbt "
        "lgbtq "
        "homosexual heterosexual libido erectile"
    ),
    "FINANCE": (
        "salary salaries mortgage bankruptcy bankrupt overdraft creditworthiness alimony "
        "payday-loan debts indebted"
    ),
}
_EN_PHRASES: dict[str, str] = {
    "HEALTH": (
        r"blood pressure|heart (?:attack|disease|condition)|panic attacks?|mental health"
        r"|kidney (?:disease|stones?)"
        r"|medical condition|health (?:condition|problem|issue)s?|side effects?|food poisoning"
        r"|intolerant to|[0-9] ?(?:mg|mcg)(?![a-z])"
        r"|blood sugar|blood type|physical therapy|gluten[- ]free|celiac disease|cholesterol"
    ),
    "BELIEF": r"voted? for|political (?:party|views?)|my (?:faith|religion)|religious|believe in god"
    r"|trade union",
    "SEXUALITY": r"sexual orientation|sex life|came out (?:as|to)|coming out|same[- ]sex",
    "FINANCE": (
        r"credit (?:score|card debt)|annual income|monthly income|my (?:income|pay|savings|debt"
        r"|loan|pension|net worth|tax return)"
        r"|(?:i|they) (?:earn|make|owe|pay me|paid me) [$€£¥]?[0-9]|bank (?:account|balance)"
        r"|in debt|student loans?"
        r"|(?:[a-z]+'s|his|her) (?:annual )?(?:income|salary)|earns? an|financial (?:profile"
        r"|situation|trouble)"
    ),
    "MINORS": (
        r"(?:my|our) (?:[a-z]+[- ])?(?:son|daughter|kid|child|toddler|baby|boy|girl)(?:s"
        r"|ren)?(?:'s)?"
        r" (?:is|are|turns?|turned|goes|go|attends?|school|teacher|[a-z]+ is) "
        r"|[0-9]{1,2}[- ]year[- ]old (?:son|daughter|kid|child|boy|girl)|kindergarten|under ?age"
        r"|my (?:son|daughter)'s school"
    ),
}
_ZH: dict[str, str] = {
    "HEALTH": (
        r"过敏(?!原检测)|高血压|低血压|糖尿病|血糖|血脂|哮喘|癌|肿瘤|化疗|放疗|抑郁|焦虑症|躁郁|双相|自闭|多动症|强迫症|精神分裂|癫痫|偏头痛"
        r"|艾滋|梅毒|乙肝|甲肝|丙肝|肝炎|阳性|怀孕|流产|备孕|试管|肥胖症|失眠|厌食|湿疹|银屑病|中风|痴呆|帕金森|新冠|肺炎|肺结核|贫血|甲亢|甲减"
        r"|痛风|心律不齐|心脏病|心悸|骨质疏松|关节炎|胃炎|胃溃疡|肠炎|肾炎|肾病|结石|鼻炎|颈椎病|腰椎|痔疮|骨折|手术|住院|确诊|诊断|症状|病史|病情"
        r"|处方|服药|吃药|药物|服用|开具|胶囊|肠溶片|胰岛素|二甲双胍|布洛芬|对乙酰氨基酚|扑热息痛|阿司匹林|青霉素|头孢|立普妥|阿莫西林|抗抑郁"
        r"|心理医生|心理咨询|精神科|主治医师?|体检报告|乳糖不耐|麸质|残疾|轮椅|不孕|更年期|毫克|自残|自杀|戒酒|酗酒|[0-9] ?mg"
    ),
    "BELIEF": r"穆斯林|伊斯兰|基督徒|基督教|天主教|佛教|信佛|道教|信教|信仰|无神论|清真|礼拜(?![一二三四五六日天])|做弥撒|党员|入党|投票给|教堂|法会",
    "SEXUALITY": r"同性恋|双性恋|异性恋|跨性别|性取向|出柜|男同|女同|性生活|同志酒吧",
    "FINANCE": (
        r"工资|薪水|薪资|月薪|年薪|(?<!个)月入(?![职住学手])|年收入|月收入|收入(?:是|为|有|大概|约)?[0-9一二三四五六七八九十]|存款|贷款|房贷|车贷|欠款"
        r"|欠了?[0-9一二三四五六七八九十]|负债|破产|信用评分|信用分|网贷|养老金|公积金"
    ),
    "MINORS": (
        r"(?:女儿|儿子|孩子|娃|宝宝|老大|老二|闺女)(?:今年|才|刚|已经|快|马上)?(?:满|过)?[0-9一二三四五六七八九十两]{1,3}(?:岁|个月)"
        r"|(?:女儿|儿子|孩子|娃|宝宝|老大|老二|闺女)(?:在|上|读|念|的)(?:读|上)?[^，。]{0,10}(?:小学|中学|初中|高中|幼儿园|学校|班|年级)"
        r"|未成年"
        r"|(?:女儿|儿子|孩子|娃|宝宝|老大|老二|闺女)[^，。]{0,6}(?:过敏|生病|住院)"
    ),
}
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_WORD_TOPIC = {word: topic for topic, words in _EN_WORDS.items() for word in words.split()}
_PHRASES = {
    t: re.compile(rf"(?<![0-9a-z])(?:{p})(?:(?<=\s)|(?![a-z]))") for t, p in _EN_PHRASES.items()
}
_ZH_PATTERNS = {topic: re.compile(pattern) for topic, pattern in _ZH.items()}
# A whole word in ASCII that may name a machine's state instead of a person's.
_EVERYDAY = re.compile(
    r"(?<![a-z])(?:aids|stroke|disabled|orthodox|trans|conservative|church|diagnosis|symptoms"
    r"|democrat)(?![a-z])"
)
_NUMBER_BEFORE = re.compile(
    r"[0-9]{3}分?的[\u4e00-\u9fff]{0,4}信用评?分|[$€£][0-9][0-9,.]* (?:salary|income)"
)
_NUMBER_AFTER = re.compile(
    r"(?:信用评分|信用分|年收入|月收入|年薪|月薪|credit score"
    r"|income)[^0-9\n，。]{0,8}(?P<v>[$¥€£]?[0-9][0-9,]*(?:\.[0-9]+)?)"
)


def topic_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Where a special topic shows, with its name."""
    lower = lowered(text)
    telling = _WORD_TOPIC.keys() & set(_WORD.findall(lower))
    for match in _WORD.finditer(lower) if telling else ():
        topic = _WORD_TOPIC.get(match.group())
        if topic and not (_EVERYDAY.fullmatch(match.group()) and not _about_a_person(lower)):
            yield topic, match.start(), match.end()
    english = _PHRASES if _WORD.search(lower) else {}
    chinese = {} if lower.isascii() else _ZH_PATTERNS
    for topic, pattern in (*english.items(), *chinese.items()):
        for match in pattern.finditer(lower):
            yield topic, match.start(), match.end()
    for match in _NUMBER_AFTER.finditer(lower):
        yield "FINANCE", match.start("v"), match.end("v")
    for match in _NUMBER_BEFORE.finditer(lower):
        yield "FINANCE", match.start(), match.end()


def _about_a_person(lower: str) -> bool:
    return bool(
        re.search(r"(?<![a-z])(?:i|i'm|my|me|he|she|his|her|we|our|they)(?![a-z])", lower[:2000])
    )
