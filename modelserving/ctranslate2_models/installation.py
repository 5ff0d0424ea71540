"""Whether CTranslate2 is there: it is installed by those who want it."""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of

from foundation.errors import UserError

PACKAGE = "ctranslate2"
INSTALL = "pip install 'ctranslate2~=4.8'"


def version() -> str:
    """As in "4.8.5"; a UserError where it is not installed."""
    try:
        return version_of(PACKAGE)
    except PackageNotFoundError:
        raise UserError(
            "CTranslate2 is not installed here: run {install} on each machine with a worker, or choose pytorch.",
            install=INSTALL,
            where="engine",
        ) from None
