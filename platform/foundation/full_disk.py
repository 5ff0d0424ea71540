"""Whether an error means that a disk is full: this machine's, or that of the database or of Redis."""

import errno

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
DATABASE = "53100"  # PostgreSQL's disk_full
REDIS = ("MISCONF", "OOM")  # it cannot write its file any more, or holds as much as it may


def is_disk_full(error: BaseException | None) -> bool:
    """Of the error or of one that it came from."""
    while error is not None:
        if getattr(error, "errno", None) in FULL or getattr(error, "sqlstate", None) == DATABASE:
            return True
        if type(error).__module__.startswith("redis.") and str(error).startswith(REDIS):
            return True
        error = error.__cause__ or error.__context__
    return False
