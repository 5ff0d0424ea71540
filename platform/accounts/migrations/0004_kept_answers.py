import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_audit_entries'),
    ]

    operations = [
        migrations.CreateModel(
            name='KeptAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('act', models.CharField(max_length=500)),
                ('status', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('body', models.TextField(null=True)),
                ('made_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('person', 'key'), name='one_answer_a_key')],
            },
        ),
    ]
