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

        register_converter(EntryName, "entry")
        add("judgements", "evaluation.table_targets")
        add("written", "evaluation.written_texts")
        add("raters", "evaluation.table_targets")
        add("scores", "evaluation.table_targets")
