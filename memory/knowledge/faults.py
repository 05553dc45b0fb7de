"""Why a file could not be read."""

from memory.choices.documents import DocumentFault


class Unreadable(Exception):
    """The file gives no text. Sending it again changes nothing; another file must be sent."""

    def __init__(self, fault: DocumentFault) -> None:
        super().__init__(fault)
        self.fault = fault
