import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpora', '0008_left_files'),
        ('evaluation', '0006_public_links'),
    ]

    operations = [
        migrations.AddField(
            model_name='judgement',
            name='system',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='corpora.system'),
        ),
    ]
