"""What agents say of what they were handed; and whose a recall is, before that person's wall is open."""

import accounts.walls
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models

TABLES = ("memory", "session", "event", "reviewitem", "recalllog")
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
REPLACE = f"""
CREATE OR REPLACE FUNCTION keepsake_subject_of(wanted_kind text, wanted uuid, of_tenant uuid)
RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$ {LOOKS} $$;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0012_feedback"),
        ("memory", "0020_import_file"),
    ]

    operations = [
        migrations.AlterField(
            model_name="reviewitem",
            name="kind",
            field=models.CharField(
                choices=[
                    ("new", "A new guess"),
                    ("change", "A change of something remembered"),
                    ("conflict", "Two memories disagree"),
                    ("sensitive", "Sensitive"),
                    ("stale", "Still true?"),
                    ("forget", "You asked an agent to forget it"),
                    ("merge", "These could be one"),
                    ("wrong", "An agent says this is wrong"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Feedback",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("agent_id", models.UUIDField()),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("helped", "It helped"),
                            ("hurt", "It made the answer worse"),
                            ("wrong", "It is not true"),
                        ],
                        max_length=10,
                    ),
                ),
                ("task_id", models.CharField(blank=True, max_length=200)),
                ("success", models.BooleanField(null=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "memory",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="memory.memory",
                    ),
                ),
                (
                    "recall",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="memory.recalllog",
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="accounts.subject",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="accounts.tenant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    accounts.walls.RowWall(
                        columns=("tenant_id", "subject_id"), name="feedback_wall"
                    ),
                    accounts.walls.CompositeForeignKey(
                        columns=("tenant_id", "subject_id"),
                        name="feedback_subject_fk",
                        to="accounts_subject",
                        to_columns=("tenant_id", "id"),
                    ),
                    accounts.walls.CompositeForeignKey(
                        columns=("tenant_id", "subject_id", "recall_id"),
                        name="feedback_recall_fk",
                        to="memory_recalllog",
                        to_columns=("tenant_id", "subject_id", "id"),
                    ),
                    accounts.walls.CompositeForeignKey(
                        columns=("tenant_id", "subject_id", "memory_id"),
                        name="feedback_memory_fk",
                        to="memory_memory",
                        to_columns=("tenant_id", "subject_id", "id"),
                    ),
                    models.UniqueConstraint(
                        fields=("agent_id", "recall", "memory", "verdict"),
                        name="feedback_once",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("verdict__in", ["helped", "hurt", "wrong"])),
                        name="feedback_verdict",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("memory__isnull", False),
                            models.Q(
                                ("recall__isnull", False),
                                models.Q(("verdict", "wrong"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="feedback_of_something",
                    ),
                ],
            },
        ),
        # Taken back, it knows one kind more than anybody asks for.
        migrations.RunSQL(REPLACE, migrations.RunSQL.noop),
    ]
