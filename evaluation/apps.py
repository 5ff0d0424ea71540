from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """Judgements, metric runs and reports."""

    name = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.urls import register_converter

        from corpora.table_import.targets import add
        from evaluation import receivers  # noqa: F401 (they connect themselves)
        from evaluation.views.entry_names import EntryName
        from foundation.key_labels import use_labels_of_entries

        register_converter(EntryName, "entry")
        use_labels_of_entries(_label_of_metric)
        add("judgements", "evaluation.table_targets")
        add("written", "evaluation.written_texts")
        add("raters", "evaluation.table_targets")
        add("scores", "evaluation.table_targets")


def _label_of_metric(value: str) -> str:
    from evaluation.metrics import METRICS

    return METRICS[value].label if value in METRICS else value
