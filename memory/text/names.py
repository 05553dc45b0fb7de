"""Words that name one person, thing or place, in either language. Signs, not a reader of names."""

import re

# A capital inside a sentence, or letters with digits.
_NAME = re.compile(r"(?<![0-9A-Za-z])(?=[A-Z]|[a-z]+[0-9]|[0-9]+[A-Z])[0-9A-Za-z][0-9A-Za-z.+#_-]*")
_FIRST_WORD = re.compile(r"\A\W*[\w-]+")
_ONESELF = re.compile(r"I(?:['’]\w+)?")
# Chinese writes no capitals: a title after a name, a role before it, or marks around it.
_TITLE_ZH = re.compile(
    "(?<![\u3400-\u9fff])[\u4e00-\u9fff]{1,3}(?:经理|老师|医生|律师|教授|先生|女士|师傅|总监|博士|阿姨)"
)
_ROLE_ZH = re.compile(
    "(?:联系人|负责人|对接人|经办人|收件人|供应商|项目名|代号|名字|名叫|叫做?|姓名)(?:是|为|叫|：|:)? ?"
    "(?P<name>[\u4e00-\u9fff]{2,6})"
)
SURNAMES_ZH = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任"
    "姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
_PERSON_ZH = re.compile(
    f"(?:(?<=[是叫由找请让给跟和])|(?<![\u3400-\u9fff]))(?!周[一二三四五六日天末])[{SURNAMES_ZH}][\u4e00-\u9fff]{{1,2}}?"
    r"(?=[，。！？；、,.!?;\s]|负责|经手|说|来|签|审|会|在|\Z)"
)
_MARKED = re.compile("[「『《“](?P<name>[^」』》”]{1,30})[」』》”]")


def names(text: str) -> list[str]:
    """Return what looks like a name in one sentence, as it is written there."""
    chinese = [m.group() for p in (_TITLE_ZH, _PERSON_ZH) for m in p.finditer(text)]
    chinese += [m["name"] for pattern in (_ROLE_ZH, _MARKED) for m in pattern.finditer(text)]
    return list(dict.fromkeys(latin_names(text) + chinese))


def latin_names(text: str) -> list[str]:
    """Return the names written in Latin letters.

    The first word says nothing by its capital, so it counts only with a digit in it.
    """
    rest = _FIRST_WORD.sub(_without_capital, text)
    found = (match.group().rstrip(".-_") for match in _NAME.finditer(rest))
    return [name for name in found if not _ONESELF.fullmatch(name)]


def _without_capital(match: re.Match[str]) -> str:
    word = match.group()
    return word if any(c.isdigit() for c in word) else ""
