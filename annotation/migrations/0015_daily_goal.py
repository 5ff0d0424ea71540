from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0014_fixed_crowd_codes'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaignmembership',
            name='goal',
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
