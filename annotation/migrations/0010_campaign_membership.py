import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "Only the model's name in Python changes; the table stays as it is."

    dependencies = [
        ("annotation", "0009_writers_of_drafts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Seat", "CampaignMembership"),
                migrations.AlterModelTable("CampaignMembership", "annotation_seat"),
                migrations.AlterField(
                    "CampaignMembership",
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="annotation.campaign",
                    ),
                ),
                migrations.AlterField(
                    "CampaignMembership",
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="campaign_memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
