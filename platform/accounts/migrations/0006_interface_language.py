from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_site_key'),
    ]

    operations = [
        migrations.AddField(
            model_name='person',
            name='interface_language',
            field=models.CharField(blank=True, db_default='', default='', max_length=20),
        ),
    ]
