from django.db import migrations, models

LOWER = {"perplexity", "ter", "terp"}


def declare(apps, schema_editor):
    """Say of the trainings that there are which curve is the tune score, and take the best from it anew."""
    curves = apps.get_model("modelserving", "TrainingCurve")
    for curve in curves.objects.select_related("run").iterator():
        run = curve.run
        if curve.name not in (run.options.get("tune_by"), run.options.get("tune_metric")) or not curve.steps:
            continue
        curve.better = "lower" if curve.name in LOWER else "higher"
        curve.save(update_fields=["better"])
        sign = 1 if curve.better == "higher" else -1
        at = max(range(len(curve.values)), key=lambda place: sign * curve.values[place])
        if run.best is not None:
            run.best = {
                "curve": curve.name, "step": curve.steps[at], "value": curve.values[at], "better": curve.better
            }  # fmt: skip
            run.save(update_fields=["best"])


class Migration(migrations.Migration):
    dependencies = [("modelserving", "0002_models")]

    operations = [
        migrations.AddField(
            model_name="trainingcurve",
            name="better",
            field=models.CharField(
                blank=True,
                choices=[("higher", "higher is better"), ("lower", "lower is better")],
                db_default="",
                default="",
                max_length=6,
            ),
        ),
        migrations.RunPython(declare, migrations.RunPython.noop),
    ]
