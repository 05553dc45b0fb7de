"""Bodies with a file (``multipart/form-data``), read into memory: a document lies on no disk unsealed."""

import io
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import UnreadablePostError
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from rest_framework.parsers import BaseParser

from memory.api.json_types import control_fault
from memory.errors import InvalidInput, TooLarge

MOST_FIELDS = 10


class FormParser(BaseParser):
    """Parses a form with at most one file into a plain object: texts and the file by name."""

    media_type = "multipart/form-data"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the form's fields.

        Raises:
            TooLarge: if the file is over the limit.
            InvalidInput: says what is wrong with the form.
        """
        meta = (parser_context or {})["request"].META | {"CONTENT_TYPE": media_type}
        try:
            texts, files = MultiPartParser(meta, stream, [InMemory()]).parse()
        except (MultiPartParserError, SuspiciousOperation, UnreadablePostError, ValueError):
            raise InvalidInput(
                "The form cannot be read, or has too many or too large fields."
            ) from None
        pairs = [*texts.lists(), *files.lists()]
        found = {name: values[0] for name, values in pairs}
        if len(found) < len(pairs) or any(len(values) > 1 for _, values in pairs):
            raise InvalidInput("The form names a field twice.")
        if len(found) > MOST_FIELDS:
            raise InvalidInput(f"The form has more than {MOST_FIELDS} fields.")
        for name in found:
            if fault := control_fault(name):
                raise InvalidInput(f"A name of a field: {fault}")
        return found


class InMemory(FileUploadHandler):
    """Gathers a file in memory, and stops at the limit."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin a file."""
        super().new_file(*args, **kwargs)
        self.content = io.BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Take a piece.

        Raises:
            TooLarge: over the limit.
        """
        if start + len(raw_data) > settings.MAX_DOCUMENT_BYTES:
            raise TooLarge(f"A document may have {settings.MAX_DOCUMENT_BYTES} bytes.")
        self.content.write(raw_data)

    def file_complete(self, file_size: int) -> Any:
        """Return the whole."""
        self.content.seek(0)
        return InMemoryUploadedFile(
            file=self.content,
            field_name=self.field_name,
            name=self.file_name,
            content_type=self.content_type,
            size=file_size,
            charset=self.charset,
        )
