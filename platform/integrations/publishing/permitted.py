"""Whether a study's texts may go to a service outside, by its terms of now."""

from corpora.models import Study
from foundation.errors import UserError
from modelserving.outside_services import refuse_leaving


def refuse_publication(study: Study, service: str) -> None:
    """Raise a UserError where the texts may not leave: they are restricted, or their readers must prove something."""
    refuse_leaving(study, service)
    if Study.objects.filter(pk=study.pk).exclude(required_credentials=[]).exists():
        raise UserError(
            "Readers of this study's texts must show credentials, so the texts may not go to {service}, where nobody"
            " checks these.",
            service=service,
        )
