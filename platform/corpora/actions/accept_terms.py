from accounts.audit import audited
from accounts.models import Person
from corpora.models import Study, TermsAcceptance
from foundation.errors import UserError


@audited
def accept_terms(*, study: Study, person: Person, version: int) -> TermsAcceptance:
    """Record that a person accepts the study's terms, in the version that they read."""
    if version != study.terms_version:
        raise UserError("The terms have changed since you opened this page; read them again.", where="version")
    return TermsAcceptance.objects.get_or_create(study=study, person=person, version=version)[0]
