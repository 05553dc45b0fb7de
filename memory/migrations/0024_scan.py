"""A person's rows are read with less work for each: policy values once a statement, wordings from an index alone."""

from django.db import migrations, models

import accounts.walls


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_rescan"),
        ("memory", "0023_notices"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="memory", name="memory_clearance_wall"),
        migrations.AddConstraint(
            model_name="memory",
            constraint=accounts.walls.ClearanceWall(name="memory_clearance_wall", safety_level=20),
        ),
        migrations.RemoveIndex(model_name="version", name="version_lengths"),
        migrations.AddIndex(
            model_name="version",
            index=models.Index(
                condition=models.Q(("superseded_at__isnull", True)),
                fields=["tenant", "subject"],
                include=("id", "memory", "term_count", "valid_to"),
                name="version_scope",
            ),
        ),
    ]
