from corpora.models import Study


def lock_study(study: Study) -> None:
    """Let nobody else number rows of this study until the transaction ends."""
    Study.objects.select_for_update().only("pk").get(pk=study.pk)
