"""Taking charge by a link: who asks, and a new login for whoever has none."""

from dataclasses import dataclass

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from accounts.acting import acting
from accounts.links import new_login, redeem
from accounts.models import Agent, PersonLink, Subject, User
from accounts.subjects import system


class BadLogin(ValueError):
    """No login can be made of this. ``field`` is the one at fault, ``why`` what is wrong with it."""

    def __init__(self, field: str, *why: str) -> None:
        super().__init__(field)
        self.field, self.why = field, why


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """The organisation whose agent asks, and the agent; ``agent`` is empty if it is gone."""

    tenant: str
    agent: str


def who_asks(link: PersonLink) -> Asker:
    """Return who asked for a link."""
    agent = None
    if link.agent_id is not None:
        with acting(system(link.tenant_id, link.subject_id, label="link")):
            agent = Agent.objects.filter(tenant_id=link.tenant_id, id=link.agent_id).first()
    return Asker(tenant=link.tenant.name, agent=agent.name if agent else "")


def checked_login(email: str, password: str) -> str:
    """Return the address as it is stored.

    Raises:
        BadLogin: for an address that is none or is taken, or a password that is too easy.
    """
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError:
        raise BadLogin("email") from None
    try:
        validate_password(password, User(email=address))
    except ValidationError as error:
        raise BadLogin("password", *error.messages) from None
    if User.objects.filter(email__iexact=address).exists():
        raise BadLogin("taken")
    return address


def take_charge_anew(secret: str, *, email: str, password: str) -> tuple[User, Subject]:
    """Make a login and put it in charge of the link's person, or do neither.

    Raises:
        BadLogin: for an address that is none or is taken, or a password that is too easy.
        LinkRefused: if the link is no longer good.
    """
    address = checked_login(email, password)
    try:
        with transaction.atomic():
            user = new_login(email=address, password=password)
            return user, redeem(secret, user)
    except IntegrityError:  # another request took the address first
        raise BadLogin("taken") from None
