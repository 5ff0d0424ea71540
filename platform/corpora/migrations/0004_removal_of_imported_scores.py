from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0003_held_texts_without_checks"),
    ]

    operations = [
        migrations.AlterField(
            model_name="removal",
            name="kind",
            field=models.CharField(
                choices=[
                    ("study", "Study"),
                    ("direction", "Direction"),
                    ("sources", "Sources"),
                    ("references", "References"),
                    ("system", "System"),
                    ("campaign", "Campaign"),
                    ("document", "Document"),
                    ("ratings", "Imported judgements"),
                    ("scores", "Imported scores"),
                    ("human_study", "Human study"),
                    ("training", "Training"),
                    ("checkpoint", "Checkpoint"),
                ],
                max_length=15,
            ),
        ),
    ]
