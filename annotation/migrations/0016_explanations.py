from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0015_daily_goal'),
    ]

    operations = [
        migrations.AddField(
            model_name='item',
            name='explanation',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
    ]
