"""Read-only links to a page of a study, for people without an account."""

from accounts.authentication import digest_of
from corpora.models import Study
from evaluation.models import PublicLink

# Finding the public link that a secret opens.


def public_link_of(secret: str) -> PublicLink | None:
    """The link of that secret, open or not; None where there is none."""
    links = PublicLink.objects.select_related("study", "release")
    return links.filter(digest=digest_of(secret)).first()


def why_no_texts(study: Study) -> str:
    """The sentence why a link may show no texts; "" where the study's licence and terms permit it."""
    if study.terms_version:
        return "The study has a data-use agreement, which readers of a link have not accepted."
    if study.required_credentials:
        return "The study asks for verified credentials, which readers of a link do not show."
    if study.restricted:
        return "The study's texts are restricted to this site."
    return "" if study.license else "The study states no licence."
