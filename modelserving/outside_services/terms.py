"""Whether a study's texts may leave the site."""

from corpora.models import Study
from foundation.errors import UserError
from modelserving.models import Checkpoint
from modelserving.training.checkpoint import Manifest
from modelserving.transfer import Transfer

RESTRICTED = "restricted"
"""The key of a manifest's `trained` that says that a checkpoint was made of restricted texts."""


def refuse_outside(study: Study, kind: Transfer, checkpoint: Checkpoint | None) -> None:
    """A UserError where the model sends texts outside and these, or those that it was made of, may not leave.

    A checkpoint of the study's own was made of the study's texts, whose terms of now count; an imported one's manifest
    says what it was made of.
    """
    service = kind.sends_to(checkpoint.manifest["options"] if checkpoint else {})
    if service and checkpoint and checkpoint.run_id is None and checkpoint.manifest["trained"].get(RESTRICTED):
        raise made_of_restricted(service)
    refuse_leaving(study, service)


def refuse_leaving(study: Study, service: str) -> None:
    """A UserError where the service is outside, and the study's texts are restricted by now."""
    if service and is_restricted(study.pk):
        raise UserError(
            "The texts of this study are restricted: nothing of them is sent to {service}, which is outside.",
            service=service,
            where="model",
        )


def is_restricted(study_id: int) -> bool:
    """Whether the study's texts are restricted by now, whatever an object of it says that was fetched before."""
    return Study.objects.filter(pk=study_id, restricted=True).exists()


def was_restricted(manifest: Manifest) -> bool:
    """Whether the checkpoint was made of restricted texts, as far as it says."""
    return bool(manifest.trained.get(RESTRICTED))


def made_of_restricted(service: str) -> UserError:
    """The error for a checkpoint that would take what it was made of, or what it was made for, to a service outside."""
    return UserError(
        "This checkpoint was made of texts that are restricted: nothing is sent to {service}, which is outside.",
        service=service,
        where="model",
    )
