"""How secrets look: what is replaced at the door, before any row or model."""

import re

from memory.write.passwords import CODES, PASSWORDS
from memory.write.shapes import B as _B
from memory.write.shapes import Shape, is_strong, is_token

_TOKEN_WORDS = ("key", "token", "secret", "auth", "credential")

# The beginnings of keys that people are told in examples and cut short in chats, where a scanner of
# whole keys (`known_keys`) stays silent.
_BEGINNINGS = (
    r"sk-(?:[a-z]{2,8}-){0,3}|gh[pousr]_|github_pat_|glpat-|xox[a-z]{1,2}-|xapp-|AIza|ya29\."
    r"|hf_|npm_|pypi-|dop_v1_|shp(?:at|ss|ca|pa)_|gsk_|tvly-|pplx-|lin_api_|figd_|nvapi-|ntn_|NRAK-"
    r"|[a-z]{2,12}_(?:live|test|prod)_|(?:key|secret|token|api|auth|sq0[a-z]{3})[\-_](?=[\w\-]{0,40}[0-9])(?=[0-9a-z]{24}|[0-9A-Za-z\-_]{32})"
)
_BEGINNINGS_SEEN = (
    "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "xapp-", "aiza", "ya29", "hf_",
    "npm_", "pypi-", "dop_", "shp", "gsk_", "tvly-", "pplx-", "lin_api_", "figd_", "nvapi-", "ntn_", "nrak-", "_live_", "_test_",
    "_prod_", "key-", "key_", "secret", "token", "api-", "api_", "auth", "sq0",
)  # fmt: skip

SHAPES: tuple[Shape, ...] = (
    Shape(
        "PRIVATE_KEY",
        re.compile(
            r"(?P<v>-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?!-----)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?)",
            0,
        ),
        ("private key",),
    ),
    Shape(
        "PASSWORD",
        re.compile(
            r"[a-z][a-z0-9+.\-]{1,30}://[^\s:/@\[\]]{0,64}:(?P<v>(?!\[[A-Z_]+\]@)[^\s/@]{1,128})@"
        ),
        ("://",),
    ),
    Shape(
        "TOKEN",
        re.compile(_B + r"(?P<v>eyJ[\w\-]{6,2000}\.[\w\-]{4,4000}(?:\.[\w\-]{0,2000})?)", re.ASCII),
        ("eyj",),
    ),
    Shape(
        "TOKEN",
        re.compile(
            _B + r"(?:bearer|basic) (?P<v>(?!\[[A-Z_]+\])[\w\-.~+/=]{12,4000})",
            re.IGNORECASE | re.ASCII,
        ),
        ("bearer", "basic"),
        is_token,
    ),
    Shape(
        "API_KEY",
        re.compile(_B + rf"(?P<v>(?:{_BEGINNINGS})[\w\-.]{{8,512}})", re.ASCII),
        _BEGINNINGS_SEEN,
    ),
    Shape(
        "API_KEY",
        re.compile(_B + r"(?P<v>(?:A[KS]IA|LTAI|AKID)[0-9A-Za-z]{12,40})", 0),
        ("akia", "asia", "ltai", "akid"),
    ),
    Shape(
        "API_KEY",
        re.compile(
            r"(?:key|token|secret|密钥|秘钥|令牌)(?:[ _-]?id)?[\"']?"
            r"(?: ?[:：=] ?| (?:is|was) |是|为) ?[\"'“「`]?"
            r"(?P<v>(?!\[[A-Z_]+\])[\w\-./+=]{10,512})",
            re.IGNORECASE | re.ASCII,
        ),
        (*_TOKEN_WORDS, "密钥", "秘钥", "令牌"),
        is_token,
    ),
    Shape(
        "API_KEY",
        re.compile(
            r"(?:(?:api|access|secret)[ _-]?key|token|密钥|秘钥|令牌)(?:[ _-]?id)?"
            r"(?: ?[:：=] ?| (?:is|was) | ?(?:是|为) ?|[^\n，。！？,.!?a-z]{0,6}[:：] ?)[\"'“「`]?"
            r"(?P<v>(?!\[[A-Z_]+\])[!-~]{10,512})",
            re.IGNORECASE | re.ASCII,
        ),
        (*_TOKEN_WORDS, "密钥", "秘钥", "令牌"),
        is_strong,
    ),
    *PASSWORDS,
    *CODES,
)
