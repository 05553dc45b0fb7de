"""The field type that holds what a person wrote, sealed."""

from typing import Any

from django.db import models


class SealedField(models.BinaryField[bytes, bytes]):
    """Ciphertext made by ``memory.vault``: nonce, AES-GCM text and tag.

    The type marks content: the console's role is granted no column of this type, and every
    personal text must be in one.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(editable=False, **kwargs)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Describe the field for migrations, without the fixed option."""
        name, path, args, kwargs = super().deconstruct()
        kwargs.pop("editable", None)
        return name, path, list(args), kwargs
