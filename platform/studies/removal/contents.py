"""What stands on a study: counted before it is deleted."""

from django.db.models import Sum

from annotation.models import Answer, CampaignMembership, Release
from corpora.models import Study
from studies.progress.overview import counts_of

CONTENTS = (
    "directions", "sentences", "references", "systems", "outputs", "campaigns", "judgements", "documents", "answers",
    "people", "human_studies", "trainings", "checkpoints", "checkpoint_bytes", "members", "releases",
)  # fmt: skip


def contents_of(study: Study) -> dict[str, int]:
    """How many of each thing would go with the study; `releases` are why it cannot."""
    counts = counts_of(study)
    shown = ("directions", "sentences", "references", "systems", "outputs", "campaigns", "judgements")
    return {
        **{name: counts[name] for name in shown},
        "documents": study.documents.count(),
        "answers": Answer.objects.filter(campaign__study=study).count(),
        "people": CampaignMembership.objects.filter(campaign__study=study).values("person").distinct().count(),
        "human_studies": study.human_studies.count(),
        "trainings": study.trainings.count(),
        "checkpoints": study.checkpoints.count(),
        "checkpoint_bytes": study.checkpoints.aggregate(all=Sum("size"))["all"] or 0,
        "members": study.memberships.count(),
        "releases": Release.objects.filter(study=study).count(),
    }
