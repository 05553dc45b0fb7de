"""Who may write knowledge, and who may read it. It belongs to the tenant, not to a person."""

from accounts.choices import ActorKind
from accounts.principal import Principal
from memory.errors import Forbidden

WRITERS = (ActorKind.PIPELINE, ActorKind.OPERATOR)
READERS = (*WRITERS, ActorKind.AGENT, ActorKind.SYSTEM)


def require_writer(principal: Principal) -> None:
    """Let pipelines and operators write; what an agent or a person says never becomes knowledge.

    Raises:
        Forbidden: for anybody else.
    """
    if principal.kind not in WRITERS:
        raise Forbidden("Only a pipeline's key or an operator may change documents.")


def require_reader(principal: Principal) -> None:
    """Let the tenant's programs read all of its documents.

    Raises:
        Forbidden: for a person's key, which reads what is about that person.
    """
    if principal.kind not in READERS:
        raise Forbidden("Documents are the organisation's: agents and pipelines read them.")
