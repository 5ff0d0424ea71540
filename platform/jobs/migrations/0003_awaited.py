from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jobs', '0002_version_0_2'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='awaited',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
    ]
