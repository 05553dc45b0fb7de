"""The one look behind the tenant wall before anybody is known: a key by its prefix."""

from django.db import migrations

CREATE = """
CREATE FUNCTION keepsake_find_key(wanted text) RETURNS TABLE (
  id uuid, kind varchar, tenant_id uuid, agent_id uuid, subject_id uuid, digest bytea,
  live boolean, label varchar, system_of_record boolean
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT k.id, k.kind, k.tenant_id, k.agent_id, k.subject_id, k.digest,
    k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      AND a.paused_at IS NULL,
    coalesce(a.name, k.label), coalesce(a.system_of_record, false)
  FROM public.accounts_apikey k LEFT JOIN public.accounts_agent a ON a.id = k.agent_id
  WHERE k.prefix = wanted
$$;
REVOKE ALL ON FUNCTION keepsake_find_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keepsake_find_key(text) TO keepsake_app;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunSQL(CREATE, "DROP FUNCTION keepsake_find_key(text)")]
