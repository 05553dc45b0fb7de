"""The broker and the workers as they answer now, asked with little patience."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from memory.policy import HEALTH

MAILBOX = "celery.pidbox"  # the exchange at which workers listen for questions


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """``waiting`` counts the messages that no worker has taken, ``workers`` names those that answered.

    Without an answer of the broker's nobody is counted: ``waiting`` is None.
    """

    waiting: int | None
    workers: Sequence[str] = ()

    @property
    def answers(self) -> bool:
        """Whether the broker answered."""
        return self.waiting is not None


def broker() -> Broker:
    """Ask the broker how many messages wait in it, and every worker whether it is there."""
    options = dict.fromkeys(("socket_connect_timeout", "socket_timeout"), HEALTH.broker_wait)
    try:
        with current_app.connection_for_read(transport_options=options) as link:
            channel: Any = link.default_channel  # Redis' own
            waiting = channel.client.llen(current_app.conf.task_default_queue)
            listening = len(channel.get_table(MAILBOX))  # as many answers are waited for
            answers = current_app.control.ping(
                timeout=HEALTH.worker_wait, limit=listening or None, connection=link
            )
    except (OperationalError, RedisError, OSError):
        return Broker(waiting=None)
    return Broker(waiting=waiting, workers=sorted(name for one in answers or () for name in one))
