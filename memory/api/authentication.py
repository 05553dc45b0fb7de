"""Who calls: ``Authorization: Bearer ks_…`` or ``X-API-Key``."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts import audit, keys
from accounts.choices import KeyKind
from accounts.principal import Principal
from accounts.subjects import caller


class KeyAuthentication(BaseAuthentication):
    """Finds the key's owner; ``request.user`` is then a principal without any person's rights."""

    def authenticate(self, request: Request) -> tuple[Principal, keys.KeyOwner] | None:
        """Return the caller, or None if no key came.

        Raises:
            AuthenticationFailed: for an unknown, wrong, expired or revoked key.
        """
        presented = _presented(request)
        if presented is None:
            return None
        owner = keys.find(presented)
        if owner is None:
            raise AuthenticationFailed("This API key is unknown, expired or revoked.")
        keys.touch(owner)
        address = audit.shorten(request.META.get("REMOTE_ADDR", ""))
        return caller(owner, address=address), owner

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme in a 401."""
        return "Bearer"


def _presented(request: Request) -> str | None:
    header = request.headers.get("Authorization", "")
    scheme, _, value = header.partition(" ")
    if scheme.lower() == "bearer" and value.strip():
        return str(value.strip())
    key = request.headers.get("X-API-Key")
    return str(key) if key else None


class HasKey(BasePermission):
    """Lets every key in; what it may see is for the service to say."""

    kinds = frozenset(KeyKind)

    def has_permission(self, request: Request, view: object) -> bool:
        """Whether a key of one of the kinds came."""
        owner = request.auth
        return isinstance(owner, keys.KeyOwner) and owner.kind in self.kinds


class HasMemoryKey(HasKey):
    """Lets agents' and persons' keys in; a pipeline's key writes knowledge only."""

    message = "This key may not touch memories."
    kinds = frozenset({KeyKind.AGENT, KeyKind.PERSON})


class HasTenantKey(HasKey):
    """Lets agents' and pipelines' keys in; a person's key reads what is about that person."""

    message = "Documents are the organisation's: agents and pipelines read them."
    kinds = frozenset({KeyKind.AGENT, KeyKind.PIPELINE})
