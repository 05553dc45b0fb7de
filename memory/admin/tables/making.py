"""What the console asks before it makes a tenant, an agent, a key or an invitation."""

import uuid
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.choices import Learning
from accounts.grants import CLEARANCES
from memory.admin import inviting, making
from memory.admin.asking import ReasonForm, action, operator_in, why
from memory.admin.services import because
from memory.choices import Sensitivity
from memory.errors import InvalidInput

STAYS = ("", "As it is")


class TenantForm(ReasonForm):
    """A new organisation."""

    name = forms.CharField(max_length=making.MAX_NAME)
    grants_on_first_use = forms.BooleanField(
        required=False,
        initial=True,
        label="Agents are let in on first use",
        help_text="Else a person lets each agent in before it may read or write.",
    )


class DefaultsForm(ReasonForm):
    """What new people of an organisation begin with."""

    grants_on_first_use = forms.TypedChoiceField(
        choices=[STAYS, ("yes", "Let in on first use"), ("no", "Only let in by the person")],
        coerce=lambda said: said == "yes",
        empty_value=None,
        required=False,
        label="An agent they have not met",
    )
    default_clearance = forms.TypedChoiceField(
        choices=[STAYS, *((level, f"{level} {Sensitivity(level).label}") for level in CLEARANCES)],
        coerce=int,
        empty_value=None,
        required=False,
        label="Its highest sensitivity",
    )
    default_learning = forms.TypedChoiceField(
        choices=[STAYS, *Learning.choices],
        coerce=str,
        empty_value=None,
        required=False,
        label="What agents work out",
    )


class AgentForm(ReasonForm):
    """A new agent."""

    name = forms.CharField(max_length=making.MAX_NAME, help_text="People see it.")
    may_link = forms.BooleanField(
        required=False,
        label="It is the app people sign in to",
        help_text="It may give people the link by which they take charge of their memories.",
    )


class LabelForm(ReasonForm):
    """What a key is for."""

    label = forms.CharField(max_length=making.MAX_LABEL, help_text="What the key is for.")


class OverlapForm(ReasonForm):
    """How long the former key goes on."""

    overlap = forms.TypedChoiceField(
        choices=list(making.OVERLAPS.items()),
        coerce=int,
        label="The former key goes on working",
    )


class UserForm(ReasonForm):
    """Whom to invite."""

    user_id = forms.CharField(
        max_length=200, strip=False, help_text="As the tenant's agents call the person."
    )


INVITATION_NOTE = (
    "Shown once. Hand it to the person it is about and to nobody else: whoever opens it first takes "
    "charge of their memories. It works once, for three days."
)
ADD_AGENT = action(making.add_agent, "Add an agent and its key", form=AgentForm)
SET_DEFAULTS = action(
    making.set_defaults,
    "Change what new people begin with",
    form=DefaultsForm,
    warning="Who is known already keeps what holds for them.",
)
ADD_PIPELINE_KEY = action(making.add_pipeline_key, "Make a key for documents", form=LabelForm)
ADD_KEY = action(making.add_key, "Make another key", form=LabelForm)
ROTATE_KEY = action(
    making.rotate_key,
    "Rotate keys",
    form=OverlapForm,
    warning="A new key takes the place of each. Keys of people are left as they are.",
)
INVITE_USER = action(inviting.invite_user, "Invite a person", form=UserForm, note=INVITATION_NOTE)
INVITE_PERSON = action(inviting.invite_person, "Invite to take charge", note=INVITATION_NOTE)
WITHDRAW = action(inviting.withdraw_invitation, "Withdraw invitations")


def new_tenant(table: "admin.ModelAdmin[Any]", request: HttpRequest) -> HttpResponse:
    """Ask for an organisation, make it, and show its row."""
    words = "Add a tenant"
    asked = TenantForm(request.POST if request.method == "POST" else None)
    if not asked.is_valid():
        return why(table, request, asked, words)
    given = dict(asked.cleaned_data)
    reason = because(given.pop("because"), given.pop("ticket"))
    made = uuid.uuid4()
    try:
        making.add_tenant(operator_in(request, made), made, reason=reason, **given)
    except InvalidInput as refused:
        asked.add_error(None, refused.detail)
        return why(table, request, asked, words)
    table.message_user(request, "The tenant is there. Add its first agent next.", messages.SUCCESS)
    return redirect("admin:console_tenant_change", made)
