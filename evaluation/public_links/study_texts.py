"""Whether texts of a study may stand on a page that anybody with its link reads."""

from corpora.models import Study


def why_no_texts(study: Study) -> str:
    """The sentence that says why not; "" where the study's licence and terms permit it."""
    if study.terms_version:
        return "The study has a data-use agreement, which readers of a link have not accepted."
    if study.required_credentials:
        return "The study asks for verified credentials, which readers of a link do not show."
    if study.restricted:
        return "The study's texts are restricted to this site."
    return "" if study.license else "The study states no licence."
