import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0019_running_sums'),
    ]

    operations = [
        migrations.AlterField(
            model_name='answer',
            name='campaign',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.campaign'),
        ),
        migrations.AlterField(
            model_name='answer',
            name='item',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.item'),
        ),
    ]
