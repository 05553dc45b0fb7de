"""How passwords and codes are told in talk: "pw …", "密码是…", "logs in as … with …", "PIN 4821".

What opens a door is part of an exact place (`doors`).
"""

from memory.write.shapes import (
    QUOTE,
    VALUE,
    B,
    Shape,
    could_be_password,
    is_code,
    is_made_up,
    is_mixed,
    is_strong,
    is_strong_or_number,
    look,
)

_LONG = (
    r"(?:password|passwd|passphrase|passcode|pass[ _-]?word|login code|pwd|pw|passwort|wi-?fi key)"
)
_OF = r"(?: (?:for|to|on|of|at|in|we|i|you|they|use|here)(?: [\w.'’\-@]{1,24}){0,6}?)?"
_STILL = (
    r"(?:(?:still|now|always|currently|just|simply|again|literally|set to|changed to|called) )?"
)
_IS = (
    rf"(?:[\"']? ?(?:[:：=]|->|=>) ?|(?:'s|’s| is| was| are| to| will be| as) {_STILL}(?:[:：] ?)?)"
)
_PASS_WORDS = ("pass", "login code", "pwd", "pw", "fi key", "wifi key")
_MY = r"(?:(?:the|my|our|your|his|her|a|new|old|shared|admin|login|wi-?fi|root|current|default) ){0,4}"
_USER = r"(?:user(?:name)?|login|logs? in|sign in|signs in|acc(?:oun)?t|email|root|admin|guest|as)"
_LOGIN = r"(?:log(?:s|ged)?[ -]?in|sign(?:s|ed)?[ -]?in|credentials?|creds|登录名?|登陆|账号|帐号|账户|用户名?)"
_ZH = r"(?:密码|口令|密匙|密钥|秘钥|暗号|密码锁)"
_ZH_WORDS = ("密码", "口令", "密匙", "密钥", "秘钥", "暗号")
_ZH_IS = r" ?(?:现在|已经|还|就|都|我|给你)?(?:改成了?|改为了?|设成了?|设为|设置为|换成了?|是|为|叫)? ?[:：=]? ?"
# What may stand between the word and the value; rules about passwords speak of neither.
_ZH_LINK = (
    r"(?:(?!错|忘|长度|至少|强度|过期|重置|策略|管理|规则|要求|包含|找回|泄露|输入|框|不能|必须|不对)[^\n，。！？；,!-~]){0,12}"
    r"(?:[四六八468]位数?[，,])?[:：=（(“「\"' ]{0,2}"
)
_EN_LINK = (
    r"(?:(?!must|should|reset|hash|length|least|polic|encrypt|salt|rule|contain|expire|manager|field|column|table|function"
    r"|input|page|link|token|store|forgot|wrong|incorrect)[^.\n!?]){1,40}?"
)
# "密码 8 位", "密码 90 天更换": a number that counts.
_NO_COUNT = r"(?![0-9]{0,3} ?[年月日天位次个小分秒条种])"

PASSWORDS: tuple[Shape, ...] = (
    Shape(
        "PASSWORD",
        look(rf"{B}(?:{_LONG}|pass)s?{_OF}{_IS}[\"“](?P<v>(?!\[[A-Z_]+\])[!-~]+(?: [!-~]+){{1,7}}?)[\"”]"),
        _PASS_WORDS,
    ),
    Shape("PASSWORD", look(rf"{B}(?:{_LONG}|pass)s?{_OF}{_IS}{QUOTE}{VALUE}"), _PASS_WORDS, could_be_password),
    Shape("PASSWORD", look(rf"{B}{_LONG} {QUOTE}{VALUE}"), _PASS_WORDS, is_mixed),
    Shape(
        "PASSWORD",
        look(rf"{B}{_USER}[^\n.]{{0,50}}?[ ,/]pass(?:word)?[ :=]{{1,2}}{QUOTE}{VALUE}"),
        _PASS_WORDS,
        is_mixed,
    ),
    Shape(
        "PASSWORD",
        look(
            rf"{B}{_LOGIN}(?:(?: is| are| as| with| for| to be|是|为|用){{0,2}}[ :：=]{{0,3}})"
            r"(?!(?:to|the|an?|your|my|our|and|with|in|at|on|from|via|page|here|using|is|into)(?![\w]))"
            rf"(?:[\w@.+\-]{{2,40}}(?: / | ?[:|] ?| and | with (?:the )?(?:{_LONG} )?| ?[／，、] ?| )|[\w@+\-]{{2,40}}/)"
            rf"{QUOTE}{VALUE}"
        ),
        ("login", "log in", "logs in", "logged in", "log-in", "sign", "cred", "登录", "登陆", "账号", "帐号", "账户", "用户"),
        is_strong,
    ),
    Shape(
        "PASSWORD",
        look(rf"(?<![!-~])(?P<v>(?!\[[A-Z_]+\])[!-~]{{4,64}}) (?:as|is|was) {_MY}{_LONG}(?![a-z])"),
        _PASS_WORDS,
        is_strong,
    ),
    Shape(
        "PASSWORD",
        look(rf"(?:mysql|psql|sshpass|mongo|redis-cli|curl)[^\n]{{0,80}}? (?:-p|-a |-p |-u [\w.\-]{{1,30}}:){VALUE}"),
        ("mysql", "psql", "sshpass", "mongo", "redis-cli", "curl"),
        is_strong,
    ),
    Shape(
        "PASSWORD",
        look(
            r"(?:wi-?fi|wlan|ssid|hotspot|热点|无线网?)(?:[ :：]|network|name|is|called|是|叫|名){1,4}"
            rf"[\w\-.]{{1,30}}(?: ?[/|,，] ?| and )(?:key |pw |code )?{QUOTE}{VALUE}"
        ),
        ("wifi", "wi-fi", "wlan", "ssid", "hotspot", "热点", "无线"),
        is_strong,
    ),
    Shape("PASSWORD", look(rf"{B}(?:{_LONG}|pass)s?(?![a-z]){_EN_LINK}[ :\"'(]{VALUE}"), _PASS_WORDS, is_made_up),
    Shape(
        "PASSWORD",
        look(rf"{B}(?:use|type|enter|try|put in|with|it's|is) {QUOTE}{VALUE} [^.\n!?]{{0,30}}?{B}{_LONG}(?![a-z])"),
        _PASS_WORDS,
        is_made_up,
    ),
    Shape(
        "PASSWORD",
        look(
            rf"{B}(?:admin|administrator|root|user|guest|test|tester|postgres|sa|pi|ubuntu|deploy|superuser) ?/ ?{VALUE}"
        ),
        ("admin", "root", "user", "guest", "test", "postgres", "sa/", "sa /", "pi/", "pi /", "ubuntu", "deploy"),
        is_made_up,
    ),
    Shape("PASSWORD", look(rf"{_ZH}{_NO_COUNT}{_ZH_IS}{_NO_COUNT}{QUOTE}{VALUE}"), _ZH_WORDS, could_be_password),
    Shape("PASSWORD", look(rf"{_ZH}{_ZH_LINK}{_NO_COUNT}{VALUE}"), _ZH_WORDS, is_strong_or_number),
    Shape(
        "PASSWORD",
        look(
            r"(?<![!-~])(?P<v>(?!\[[A-Z_]+\])[!-~]{4,64}) ?(?:这个|就|是|为|当|做|作){1,3}(?:我|咱|他|她|们|的|家){0,3}"
            rf"[\u4e00-\u9fff]{{0,4}}{_ZH}"
        ),
        _ZH_WORDS,
        is_strong,
    ),
    Shape(
        "PASSWORD",
        look(
            rf"{_ZH}(?:就|还|也|都|一直)?(?:是|为|[:：])[\"'“「]?(?P<v>(?:[一二三四五六七八九十两]个[0-9零一二三四五六七八九幺]){{1,3}}"
            r"|[零一二三四五六七八九幺]{4,12})"
        ),
        _ZH_WORDS,
    ),
    Shape(
        "PASSWORD",
        look(
            r"(?:口令|暗号)(?:就是|改成|改为|是|为|[:：])[\"'“「]?"
            r"(?P<v>(?!什么|多少|不对|错|谁|由|用|怎|哪)[\u4e00-\u9fff]{2,12})"
        ),
        ("口令", "暗号"),
    ),
    Shape(
        "PASSWORD",
        look(
            r"(?:(?:seed|recovery|backup|wallet) (?:phrase|words)|mnemonic|助记词)[^a-z\n]{0,12}"
            r"(?:is |are )?(?P<v>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})"
        ),
        ("phrase", "words", "mnemonic", "助记词"),
    ),
)  # fmt: skip

_CODE_OF = (
    r"(?:verification|one[- ]time|otp|2fa|login|security|access|alarm|auth|sms|unlock"
    r"|safe|lock(?:er|box)?|voicemail|sim|pairing|backup|recovery|keypad)"
)
CODES: tuple[Shape, ...] = (
    Shape(
        "CODE",
        look(
            r"(?:验证码|校验码|动态码|安全码|提取码|取件码|提货码|PIN码?|(?<![a-z])pin(?: (?:code|number))?"
            rf"|{_CODE_OF} (?:code|pin)|(?<![a-z])(?:otp|cvv|cvc|cvv2))"
            r"(?: (?:for|to|of|on) [\w .'\-]{1,30}?)?(?:(?:'s|’s| ?is| ?was|是|为|[:：=]| ){1,3}| ?)"
            r"(?P<v>(?!\[)[0-9A-Z]{3,10}(?:-[0-9]{2,4}){0,3})(?![0-9A-Za-z])"
        ),
        ("码", "pin", "code", "otp", "cvv", "cvc"),
        is_code,
    ),
    Shape(
        "CODE",
        look(
            r"(?:(?:unlock(?:s|ed)?|(?<!door )(?<!gate )(?<!garage )(?<!building )(?<!entrance )opens?|disarms?) (?:it )?with (?:the )?(?:code )?|keypad(?: code)?(?: is|:)? ?)"
            r"(?P<v>[0-9]{3,8}#?)(?![0-9A-Za-z])"
        ),
        ("unlock", "open", "disarm", "keypad"),
    ),
    Shape(
        "CODE",
        look(
            r"(?:enter|punch in|key in|type|dial|press) (?P<v>[0-9]{4,8}#?) "
            r"(?:at|on|into|to) (?:the )?(?:keypad|lock|panel)"
        ),
        ("keypad", "lock", "panel"),
    ),
    Shape(
        "CODE",
        look(
            r"(?:safe|lock|locker|padlock|bike|case|vault|box)(?:'s|’s)? (?:combination|combo)(?: (?:for|to|of|on) [\w .'\-]{1,30}?)?"
            r"(?: is| was|[:：=])? ?(?P<v>(?!\[)[0-9]{1,4}(?:[ \-][0-9]{1,4}){0,4})(?![0-9A-Za-z])"
        ),
        ("combination", "combo"),
    ),
    Shape(
        "CODE",
        look(r"(?:验证码|校验码|动态码|PIN码?)(?P<v>[0-9]{4,8})(?![0-9A-Za-z])"),
        ("码", "pin"),
    ),
    Shape(
        "CODE",
        look(
            r"(?<![0-9A-Za-z])(?P<v>[0-9]{4,8})(?: is (?:your|my|the) [a-z \-]{0,30}(?:code|pin|otp)"
            r"|(?:是|为)?(?:您|你|我)?的?[\u4e00-\u9fff]{0,6}(?:验证码|校验码|动态码))"
        ),
        ("code", "pin", "otp", "码"),
    ),
)  # fmt: skip
