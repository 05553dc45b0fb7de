"""The login of a person or an operator."""

import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models, transaction
from django.utils import timezone

from accounts.choices import Theme


class UserManager(BaseUserManager["User"]):
    """Makes logins."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Return a new login; the address is stored in lower case."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Return a new operator with every right."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A login by e-mail. One login may have several subjects; ``is_staff`` marks operators."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(unique=True)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    language = models.CharField(max_length=10, blank=True)
    time_zone = models.CharField(max_length=50, default="UTC")
    theme = models.CharField(max_length=10, choices=Theme, default=Theme.SYSTEM)
    single_keys = models.BooleanField(default=True)  # whether letters press buttons on the pages
    date_joined = models.DateTimeField(default=timezone.now)
    # When the password, a passkey or a second factor was changed last.
    sign_in_at = models.DateTimeField(null=True, editable=False)

    right_fields = ("sign_in_at", "is_staff", "is_superuser")

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return self.email

    @transaction.atomic
    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save it together with what a change of the password leaves in the ledger."""
        super().save(*args, **kwargs)
