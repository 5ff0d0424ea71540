"""The checkpoints of a study that a training can start from, as its form suggests them."""

from django.utils.translation import gettext as _

from corpora.models import Study
from modelserving.models import Checkpoint
from modelserving.presenters.checkpoint_facts import changed_of
from modelserving.presenters.labels import score_in_words

MOST = 50


def start_points(study: Study, model: str) -> list[tuple[str, str]]:
    """The names of the study's checkpoints of this model, newest first, each with its directions, score and options.

    Those of trainings that are over, and imported ones. Of several of a name only the newest can be named.
    """
    newest: dict[str, Checkpoint] = {}
    for one in study.checkpoints.select_related("run__job").order_by("-made_at", "-pk"):
        newest.setdefault(one.name, one)
    fitting = (one for one in newest.values() if one.model == model and (one.run is None or one.run.job.is_over))
    return [(one.name, _about(one)) for one in list(fitting)[:MOST]]


def _about(one: Checkpoint) -> str:
    manifest = one.manifest
    directions = [_("%(source)s to %(target)s") % {"source": pair[0], "target": pair[1]} for pair in one.directions]
    changed = [f"{option.name} {option.value}" for option in changed_of(one.model, manifest["options"])]
    parts = [", ".join(directions), score_in_words(manifest["trained"].get("score")), ", ".join(changed)]
    return "; ".join(part for part in parts if part)
