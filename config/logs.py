"""Structured logs: one JSON object a line, with the request id, and never memory text.

Services log codes, ids and counts only. Django names a request that failed by its address, which may
hold what an agent calls a task, or a link's secret: it is named by its route, as in the metrics.
"""

import logging
import sys
from typing import Any

import structlog

SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def _without_locals(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Keep the exception's type and place; its message may quote what a person wrote."""
    info = event.pop("exc_info", None)
    if info is True:  # log.exception() inside the handler of the exception
        info = sys.exc_info()
    if info and isinstance(info, tuple) and info[0] is not None:
        event["exception"] = info[0].__name__
        trace = info[2]
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is not None:
            event["at"] = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return event


class Wordless(logging.Filter):
    """Celery puts the exception itself into its line: leave its type, as everywhere."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record through without the exception's message."""
        if isinstance(record.args, dict) and "exc" in record.args:
            kind = record.exc_info[0] if record.exc_info else None
            record.args = record.args | {"exc": kind.__name__ if kind else "", "traceback": ""}
        return True


class Addressless(logging.Filter):
    """Django puts the request's address into its line: leave the name of its route."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record through without the address."""
        if (request := getattr(record, "request", None)) is not None and record.args:
            match = request.resolver_match
            route = match.view_name if match else "none"
            address = request.path.encode("unicode_escape").decode()  # as Django writes it
            record.args = tuple(route if one == address else one for one in record.args)
        return True


def LOGGING_CONFIGURATION(level: str) -> dict[str, Any]:  # noqa: N802 - read like a constant by settings
    """Return Django's LOGGING and configure structlog to the same output."""
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    _without_locals,
                    structlog.processors.JSONRenderer(ensure_ascii=False),
                ],
            }
        },
        "filters": {"wordless": {"()": Wordless}, "addressless": {"()": Addressless}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # SQL parameters and HTTP client URLs may hold content.
            "django.db.backends": {"level": "WARNING"},
            "httpx": {"level": "WARNING"},
            "httpcore": {"level": "WARNING"},
            "django.request": {"level": "ERROR", "filters": ["addressless"]},
            # A form that another site sent: the line has addresses of both.
            "django.security.csrf": {"level": "ERROR"},
            "celery.app.trace": {"filters": ["wordless"]},
            "pypdf": {"level": "CRITICAL"},  # it quotes from the file it reads
        },
    }
