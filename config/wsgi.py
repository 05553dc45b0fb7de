"""The web server's entry. It refuses to serve on a database role that could pass the walls."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from accounts.closing import is_closed
from accounts.roles import require_safe_role
from memory.rotation import check_sentinel

require_safe_role()
if not is_closed():
    check_sentinel()
