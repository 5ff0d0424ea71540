import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "Only names in Python change; tables, columns and constraints stay as they are."

    dependencies = [
        ("annotation", "0010_campaign_membership"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("Draft", "one_draft_a_slot_and_person"),
                migrations.RenameModel("Slot", "Assignment"),
                migrations.AlterModelTable("Assignment", "annotation_slot"),
                migrations.AlterField(
                    "Assignment",
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignments",
                        to="annotation.campaign",
                    ),
                ),
                migrations.AlterField(
                    "Assignment",
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignments",
                        to="annotation.item",
                    ),
                ),
                migrations.AlterField(
                    "Assignment",
                    "annotator",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.RenameField("Answer", "slot", "assignment"),
                migrations.AlterField(
                    "Answer",
                    "assignment",
                    models.ForeignKey(
                        db_column="slot_id",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="annotation.assignment",
                    ),
                ),
                migrations.RenameField("Draft", "slot", "assignment"),
                migrations.AlterField(
                    "Draft",
                    "assignment",
                    models.ForeignKey(
                        db_column="slot_id",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to="annotation.assignment",
                    ),
                ),
                migrations.AddConstraint(
                    "Draft",
                    models.UniqueConstraint(fields=["assignment", "person"], name="one_draft_a_slot_and_person"),
                ),
            ],
        ),
    ]
