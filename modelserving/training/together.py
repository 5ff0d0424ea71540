"""What one of several processes meets, all meet: none is left waiting for what another will not do any more."""

from foundation.errors import UserError
from modelserving.training.callbacks import Preempted, Stopped
from modelserving.training.process_group import ProcessGroup


def raise_together(group: ProcessGroup, met: Stopped | UserError | None, device: str) -> None:
    """Raise in every process where one has met something; each calls it at the same place.

    A UserError goes before Stopped, and Stopped, which a person asked for, before Preempted. Where a process has met
    nothing itself, it raises what the first that did has met.
    """
    if group.size == 1:
        if met is not None:
            raise met
        return
    stopped, preempted = isinstance(met, Stopped), isinstance(met, Preempted)
    met_by = group.sum([float(isinstance(met, UserError)), float(stopped), float(preempted)], device)
    if met_by[0]:
        raise _refusal(group, met)
    if met_by[1]:
        raise met or (Preempted if met_by[2] == met_by[1] else Stopped)


def _refusal(group: ProcessGroup, met: Stopped | UserError | None) -> UserError:
    """This process's own, or the first of the others."""
    refused = met if isinstance(met, UserError) else None
    told = group.gather((refused.sentence, refused.where) if refused else None)
    return refused or next(UserError(one[0], where=one[1]) for one in told if one)
