"""What a route can require of a request."""

from typing import NamedTuple

from accounts.permissions import Can, Open


class ByMethod(NamedTuple):
    """A row for an endpoint that is read (GET, HEAD, OPTIONS) and changed (every other method) by different people."""

    read: Can | Open
    change: Can


STUDY_PART = ByMethod(Can.VIEW_STUDY, Can.EDIT_STUDY)

Requirement = Can | Open | ByMethod
