"""What a look of an operator covers: asked by row policies, for operators alone.

In plpgsql, so that no statement's plan takes the question in.
"""

import accounts.walls
from django.db import migrations

COVERS = """
CREATE FUNCTION keepsake_look_covers(memory uuid, level int, kind text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM public.accounts_look one
    WHERE one.id = nullif(current_setting('app.look_id', true), '')::uuid
      AND one.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
      AND one.subject_id = nullif(current_setting('app.subject_id', true), '')::uuid
      AND one.ended_at IS NULL AND one.ends_at > statement_timestamp()
      AND (memory IS NULL OR one.memory_id IS NULL OR one.memory_id = memory)
      AND level <= one.clearance AND ($3 IS NULL OR $3 = ANY (one.kinds)));
END $$;
"""
OPENS = """
CREATE FUNCTION keepsake_look_opens(object uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  -- The row policies of memories hold here too: what they hide, no key opens.
  RETURN EXISTS (SELECT FROM public.memory_memory WHERE id = object);
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0019_looks'),
        ('memory', '0029_experiments'),
    ]

    operations = [
        migrations.RunSQL(COVERS, "DROP FUNCTION keepsake_look_covers(uuid, int, text)"),
        migrations.RunSQL(OPENS, "DROP FUNCTION keepsake_look_opens(uuid)"),
        migrations.AddConstraint(
            model_name='memory',
            constraint=accounts.walls.LookWall(covers='keepsake_look_covers(id, sensitivity, kind)', name='memory_look'),
        ),
        migrations.AddConstraint(
            model_name='objectkey',
            constraint=accounts.walls.LookWall(covers='keepsake_look_opens(object_id)', name='objectkey_look'),
        ),
        migrations.AddConstraint(
            model_name='subjectkey',
            constraint=accounts.walls.LookWall(covers='keepsake_look_covers(NULL, 0, NULL)', name='subjectkey_look'),
        ),
    ]
