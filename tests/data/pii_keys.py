"""Shapes of keys that services hand out, by their known beginnings; the rest is drawn at random."""

import random
import string
from collections.abc import Callable

_MIXED = string.ascii_letters + string.digits
_UPPER = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"
_BASE32 = string.ascii_uppercase + "234567"


def _key(begins: str, *parts: tuple[int, str] | str) -> Callable[[random.Random], str]:
    def made(draw: random.Random) -> str:
        drawn = (p if isinstance(p, str) else "".join(draw.choices(p[1], k=p[0])) for p in parts)
        return begins + "".join(drawn)

    return made


KEYS = (
    _key("ghp_", (36, _MIXED)),
    _key("gho_", (36, _MIXED)),
    _key("ghs_", (36, _MIXED)),
    _key("github_pat_", (22, _MIXED), "_", (59, _MIXED)),
    _key("glpat-", (20, _MIXED)),
    _key("AKIA", (16, _BASE32)),
    _key("ASIA", (16, _BASE32)),
    _key("LTAI5t", (18, _MIXED)),
    _key("AKID", (32, _MIXED)),
    _key("sk-", (48, _MIXED)),
    _key("sk-proj-", (74, _MIXED), "T3BlbkFJ", (74, _MIXED)),
    _key("sk-proj-", (40, _MIXED)),
    _key("sk-ant-api03-", (93, _MIXED), "AA"),
    _key("sk-or-v1-", (64, _HEX)),
    _key("AIzaSy", (33, _MIXED)),
    _key("ya29.", (60, _MIXED)),
    _key("xoxb-", (12, string.digits), "-", (13, string.digits), "-", (24, _MIXED)),
    _key(
        "xoxp-",
        (12, string.digits),
        "-",
        (12, string.digits),
        "-",
        (12, string.digits),
        "-",
        (32, _HEX),
    ),
    _key("xapp-1-A", (10, _UPPER), "-", (13, string.digits), "-", (64, _HEX)),
    _key("sk_live_", (24, _MIXED)),
    _key("rk_live_", (24, _MIXED)),
    _key("pk_test_", (24, _MIXED)),
    _key("whsec_", (32, _MIXED)),
    _key("hf_", (34, string.ascii_letters)),
    _key("npm_", (36, _MIXED)),
    _key("pypi-AgEIcHlwaS5vcmc", (60, _MIXED)),
    _key("dop_v1_", (64, _HEX)),
    _key("SG.", (22, _MIXED), ".", (43, _MIXED)),
    _key("key-", (32, _HEX)),
    _key("shpat_", (32, _HEX)),
    _key("gsk_", (52, _MIXED)),
    _key("tvly-", (32, _MIXED)),
    _key("pplx-", (48, _MIXED)),
    _key("lin_api_", (40, _MIXED)),
    _key("figd_", (43, _MIXED)),
    _key("nvapi-", (64, _MIXED)),
    _key("ntn_", (46, _MIXED)),
    _key("secret_", (43, _MIXED)),
    _key("xai-", (80, _MIXED)),
    _key("r8_", (37, _MIXED)),
    _key("glsa_", (32, _MIXED), "_", (8, _HEX)),
    _key("hvs.", (24, _MIXED)),
    _key("sntrys_", (60, _MIXED)),
    _key("NRAK-", (27, _UPPER)),
    _key("PMAK-", (24, _HEX), "-", (34, _HEX)),
    _key("rubygems_", (48, _HEX)),
    _key("dckr_pat_", (27, _MIXED)),
    _key("tskey-auth-", (12, _MIXED), "-", (32, _MIXED)),
    _key("EAAC", (120, _MIXED)),
    _key("sq0csp-", (43, _MIXED)),
    _key("AGE-SECRET-KEY-1", (58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")),
    _key("dapi", (32, _HEX)),
    _key("pat", (14, _MIXED), ".", (64, _HEX)),
    _key("lsv2_pt_", (32, _HEX), "_", (10, _HEX)),
    _key("fio-u-", (64, _MIXED)),
    _key("doo_v1_", (64, _HEX)),
)
