"""What the console's templates need."""

from django import template

from memory.admin.moments import moment

register = template.Library()
register.filter(moment)
