"""Rate limits per key and per tenant, counted in Valkey in one atomic step.

A window begins with its first request. Where Valkey does not answer, requests pass: a limit is no
reason to be down.
"""

import math
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import redis
import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.keys import KeyOwner
from memory import quotas
from memory.policy import LIMITS
from memory.quotas import Quota

log = structlog.get_logger()

SECONDS = {"s": 1, "sec": 1, "min": 60, "hour": 3600, "day": 86_400}
SHAPE = re.compile(r"([1-9][0-9]{0,8})/(s|sec|min|hour|day)")
# All counters are looked at before one is raised: what the key's limit refuses does not use up the
# tenant's. Returns count and milliseconds left for each, and whether the request may pass.
COUNT = """
local allowed = 1
for i, key in ipairs(KEYS) do
  local count = tonumber(redis.call('GET', key) or '0') + tonumber(ARGV[3 * i])
  if count > tonumber(ARGV[3 * i - 2]) then allowed = 0 end
end
local answer = {allowed}
for i, key in ipairs(KEYS) do
  local count
  if allowed == 1 then
    count = redis.call('INCRBY', key, ARGV[3 * i])
    if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[3 * i - 1]) end
  else
    count = tonumber(redis.call('GET', key) or '0')
  end
  answer[#answer + 1] = count
  answer[#answer + 1] = redis.call('PTTL', key)
end
return answer
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """So many requests in so many seconds, counted under ``key``; this one counts as ``cost``.

    ``quota`` names what is counted, where it is no rate of requests.
    """

    key: str
    most: int
    seconds: int
    cost: int = 1
    quota: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What is left of the tightest limit, and in how many seconds it begins anew.

    ``quota`` names what it counts, where that is no rate of requests.
    """

    allowed: bool
    most: int
    remaining: int
    reset: int
    quota: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers every answer to a counted request carries."""
        return {
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset),
        }


@cache
def rate(text: str) -> tuple[int, int] | None:
    """Return (requests, seconds) of ``600/min``; None for ``0``, which is no limit.

    Raises:
        ImproperlyConfigured: if it is neither.
    """
    if text.strip() in {"", "0"}:
        return None
    if not (shape := SHAPE.fullmatch(text.strip())):
        raise ImproperlyConfigured(f"A rate reads like 600/min (or s, hour, day), not {text!r}.")
    return int(shape[1]), SECONDS[shape[2]]


class Counters:
    """The counters in Valkey; after a failure they are left alone for some seconds."""

    def __init__(self, url: str) -> None:
        self.broken_until = 0.0
        self.silent_until = 0.0
        self.client = redis.Redis.from_url(
            client_url(url),
            socket_timeout=LIMITS.timeout,
            socket_connect_timeout=LIMITS.timeout,
            retry=Retry(NoBackoff(), retries=0),
        )
        self.script = self.client.register_script(COUNT)

    def count(self, limits: Sequence[Limit]) -> Allowance | None:
        """Count one request; None when nobody counts now."""
        if time.monotonic() < self.broken_until:
            return None
        arguments = [value for one in limits for value in (one.most, one.seconds * 1000, one.cost)]
        try:
            answer = self.script(keys=[one.key for one in limits], args=arguments)
        except redis.RedisError as error:
            self._break(error)
            return None
        return _tightest(limits, answer[1:], allowed=bool(answer[0]))

    def _break(self, error: redis.RedisError) -> None:
        now = time.monotonic()
        self.broken_until = now + LIMITS.pause_seconds
        if now >= self.silent_until:
            self.silent_until = now + LIMITS.log_seconds
            log.warning("rate_limits_off", error=type(error).__name__)


def _tightest(limits: Sequence[Limit], counted: Sequence[int], *, allowed: bool) -> Allowance:
    """Return the limit that refuses the longest, or, if none does, the one with the least left."""
    found = [
        Allowance(
            allowed=allowed,
            most=one.most,
            remaining=max(one.most - count, 0),
            reset=math.ceil(max(left, 0) / 1000),
            quota=one.quota,
        )
        for one, count, left in zip(limits, counted[::2], counted[1::2], strict=True)
    ]
    if allowed:
        return min(found, key=lambda one: (one.remaining, -one.reset))
    costs = [one.cost for one in limits]
    refusing = [one for one, cost in zip(found, costs, strict=True) if cost > one.remaining]
    return max(refusing, key=lambda one: one.reset)


def client_url(url: str) -> str:
    """Return the broker's address as the client spells it: a socket is ``unix://``."""
    prefix, _, rest = url.partition("://")
    return f"unix://{rest.replace('virtual_host=', 'db=')}" if prefix == "redis+socket" else url


@cache
def counters(url: str) -> Counters:
    """Return this process's counters at ``url``."""
    return Counters(url)


class KeyThrottle(BaseThrottle):
    """Counts each request of a known key; the view carries what is left to its answer's headers."""

    allowance: Allowance | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether the request may pass."""
        limits: list[Limit] = []
        if isinstance(request.auth, KeyOwner):
            limits = [*_limits(request.auth), *_quotas(request, request.auth, view)]
        if not limits or not settings.REDIS_URL:
            return True
        self.allowance = view.allowance = counters(settings.REDIS_URL).count(limits)
        return self.allowance is None or self.allowance.allowed

    def wait(self) -> float | None:
        """Return the seconds until the window begins anew."""
        return float(self.allowance.reset) if self.allowance else None


def _limits(owner: KeyOwner) -> Sequence[Limit]:
    tenant = _counter(owner)
    keys = {
        f"{tenant}:{owner.key_id}": rate(settings.RATE_LIMIT_PER_KEY),
        tenant: rate(settings.RATE_LIMIT_PER_TENANT),
    }
    return [Limit(key=key, most=one[0], seconds=one[1]) for key, one in keys.items() if one]


def _quotas(request: Request, owner: KeyOwner, view: Any) -> Sequence[Limit]:
    """Return what a view counts of a tenant's quotas: its attribute ``counts``, by method."""
    counted = getattr(view, "counts", {}).get(request.method, ())
    most = _most(owner.tenant_id, int(time.monotonic() / LIMITS.quota_seconds)) if counted else {}
    return [
        Limit(
            key=f"{_counter(owner)}:{one}",
            most=most[one],
            seconds=SECONDS["day" if one == Quota.EVENTS else "min"],
            cost=_messages(request) if one == Quota.EVENTS else 1,
            quota=one,
        )
        for one in counted
        if most[one]
    ]


@lru_cache(maxsize=1024)
def _most(tenant_id: uuid.UUID, _moment: int) -> Mapping[Quota, int]:
    """Return a tenant's quotas; asked for once in a while, so that no request waits for them."""
    return quotas.of(tenant_id)


def _messages(request: Request) -> int:
    """Return how many messages a request brings; one that is malformed brings one."""
    body = request.data
    messages = body.get("messages") if isinstance(body, Mapping) else None
    return len(messages) if isinstance(messages, list) and messages else 1


def _counter(owner: KeyOwner) -> str:
    # The braces keep a tenant's counters on one node of a cluster.
    return f"keepsake:rate:{{{owner.tenant_id}}}"
