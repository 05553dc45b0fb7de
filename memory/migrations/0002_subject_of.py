"""Whose a row is, before that person's wall is open: ids in paths name no person."""

from django.db import migrations

TABLES = ("memory", "session", "event", "reviewitem")
LOOKS = " UNION ALL ".join(
    f"SELECT t.subject_id FROM public.memory_{table} t "
    f"WHERE wanted_kind = '{table}' AND t.id = wanted AND t.tenant_id = of_tenant"
    for table in TABLES
)
# An original that is gone still belongs to whose quote is kept.
LOOKS += (
    " UNION ALL SELECT t.subject_id FROM public.memory_evidence t "
    "WHERE wanted_kind = 'event' AND t.event_id = wanted AND t.tenant_id = of_tenant LIMIT 1"
)
CREATE = f"""
CREATE FUNCTION keepsake_subject_of(wanted_kind text, wanted uuid, of_tenant uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$ {LOOKS} $$;
REVOKE ALL ON FUNCTION keepsake_subject_of(text, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keepsake_subject_of(text, uuid, uuid) TO keepsake_app;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial")]
    operations = [migrations.RunSQL(CREATE, "DROP FUNCTION keepsake_subject_of(text, uuid, uuid)")]
