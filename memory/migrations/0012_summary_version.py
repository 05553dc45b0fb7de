import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0011_recognised"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="summary", name="summary_current"),
        migrations.RemoveField(model_name="summary", name="created_at"),
        migrations.RemoveField(model_name="summary", name="superseded_at"),
        migrations.RemoveField(model_name="summary", name="tokens"),
        migrations.RemoveField(model_name="summary", name="up_to_sequence"),
        migrations.AddField(
            model_name="summary",
            name="updated_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AddField(
            model_name="summary",
            name="version",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddConstraint(
            model_name="summary",
            constraint=models.UniqueConstraint(fields=("session",), name="summary_session"),
        ),
    ]
