"""Contact details out of sight: a placeholder each, and the way back."""

from collections.abc import Iterable

from memory.choices import Sensitivity
from memory.write.redact import redact


class Masks:
    """The placeholders of one question to a model. The same detail has the same placeholder."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._taken = "\n".join(texts)
        self._placeholder: dict[str, str] = {}

    def hide(self, text: str) -> str:
        """Return a redacted text with its contact details as placeholders."""
        pieces, at = [], 0
        for found in redact(text).found:
            exact = found.level == Sensitivity.CONTACT or found.type == "PLACE"
            if exact and found.start >= at:
                detail = text[found.start : found.end]
                pieces += [text[at : found.start], self._name(found.type, detail)]
                at = found.end
        return "".join((*pieces, text[at:]))

    def show(self, text: str) -> str:
        """Return a text with its details back in place."""
        for detail, placeholder in self._placeholder.items():
            text = text.replace(placeholder, detail)
        return text

    def _name(self, type_: str, detail: str) -> str:
        if detail not in self._placeholder:
            number = len(self._placeholder) + 1
            while (name := f"[{type_}_{number}]") in self._taken:  # somebody wrote just this
                number += len(self._placeholder) + 1
            self._placeholder[detail] = name
        return self._placeholder[detail]
