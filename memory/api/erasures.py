"""/erasures: how far an erasure is, and its receipt."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.base import MemoryView
from memory.forget.receipt import access_erasure, receipt


class ErasureView(MemoryView):
    """One erasure."""

    @extend_schema(responses={200: dict})
    def get(self, request: Request, erasure_id: uuid.UUID) -> Response:
        """Return its state, its steps with counts, and the signature over both."""
        return Response(receipt(access_erasure(self.caller, erasure_id)))
