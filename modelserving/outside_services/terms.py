"""Whether a study's texts may leave the site."""

from corpora.models import Study
from foundation.errors import UserError
from modelserving.models import Checkpoint
from modelserving.transfer import Transfer


def service_outside(kind: Transfer, checkpoint: Checkpoint | None) -> str:
    """The service outside that a model sends texts to; "" where they stay."""
    return kind.sends_to(checkpoint.manifest["options"] if checkpoint else {})


def refuse_leaving(study: Study, service: str) -> None:
    """A UserError where the service is outside, and the study's texts are restricted by now."""
    if service and Study.objects.filter(pk=study.pk, restricted=True).exists():
        raise UserError(
            f"The texts of this study are restricted: nothing of them is sent to {service}, which is outside.",
            where="model",
        )
