from accounts.audit import audited
from accounts.models import Credential


@audited
def remove_credential(*, credential: Credential) -> None:
    """Take a credential away; studies and campaigns that ask for it are closed to the person at once."""
    credential.delete()
