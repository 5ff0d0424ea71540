from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0007_machine_raters'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaignmembership',
            name='answered',
            field=models.PositiveIntegerField(null=True),
        ),
    ]
