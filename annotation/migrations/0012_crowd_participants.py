import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "Only names in Python change; tables, columns and constraints stay as they are."

    dependencies = [
        ("annotation", "0011_assignment"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("Entrant", "one_entrant_an_id"),
                migrations.RenameModel("Entrance", "RecruitmentLink"),
                migrations.AlterModelTable("RecruitmentLink", "annotation_entrance"),
                migrations.RenameModel("Entrant", "CrowdParticipant"),
                migrations.AlterModelTable("CrowdParticipant", "annotation_entrant"),
                migrations.AlterField(
                    "RecruitmentLink",
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recruitment_links",
                        to="annotation.campaign",
                    ),
                ),
                migrations.AlterField(
                    "RecruitmentLink",
                    "training",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="recruitment_links_before",
                        to="annotation.campaign",
                    ),
                ),
                migrations.AlterField(
                    "RecruitmentLink",
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="recruitment_links_made",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.RenameField("CrowdParticipant", "entrance", "recruitment_link"),
                migrations.AlterField(
                    "CrowdParticipant",
                    "recruitment_link",
                    models.ForeignKey(
                        db_column="entrance_id",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="participants",
                        to="annotation.recruitmentlink",
                    ),
                ),
                migrations.AddConstraint(
                    "CrowdParticipant",
                    models.UniqueConstraint(
                        condition=models.Q(("external_id", ""), _negated=True),
                        fields=["recruitment_link", "external_id"],
                        name="one_entrant_an_id",
                    ),
                ),
            ],
        ),
    ]
