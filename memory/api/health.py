"""/health: is the process alive, can it serve."""

from django.db import Error, connection
from django.http import HttpRequest, JsonResponse

from accounts.closing import shuts_out
from memory.errors import VaultError
from memory.rotation import check_sentinel


def live(_request: HttpRequest) -> JsonResponse:
    """Answer 200 as long as the process answers at all."""
    return JsonResponse({"status": "ok"})


def ready(_request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database answers and the vault opens; 503 names what does not."""
    failing = []
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        check_sentinel()
    except Error as error:  # InterfaceError, too: a connection that broke
        failing.append("closed" if shuts_out(error) else "database")
    except VaultError:
        failing.append("master_key")
    body = {"status": "ok" if not failing else "unavailable", "failing": failing}
    return JsonResponse(body, status=503 if failing else 200)
