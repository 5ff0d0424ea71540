"""Turns an exception into one sentence and an exit status."""

import errno
import sys
from collections.abc import Callable

from foundation.errors import UserError


def say_errors(work: Callable[[], int]) -> int:
    """Do the work; where it fails for a reason that the user can put right, say it in one sentence and return 1."""
    try:
        return work()
    except UserError as error:
        sentence = str(error)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sentence = "The disk is full: free some space and start again."
    sys.stdout.flush()
    sys.stderr.write(sentence + "\n")
    return 1
