"""Working memory: sessions and their messages, originals, and the boards of tasks."""

from memory.sessions.life import Closed, close, find_session, list_sessions, open_session
from memory.sessions.messages import Appended, IncomingMessage, append, check
from memory.sessions.reading import MessagePage, OpenedMessage, list_messages

__all__ = [
    "Appended",
    "Closed",
    "IncomingMessage",
    "MessagePage",
    "OpenedMessage",
    "append",
    "check",
    "close",
    "find_session",
    "list_messages",
    "list_sessions",
    "open_session",
]
