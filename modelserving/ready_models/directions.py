"""Which directions of a study a model serves: those that it was trained for, or those of its kind."""

from corpora.models import Direction, Study
from foundation.errors import UserError
from modelserving.models import Checkpoint
from modelserving.transfer import Transfer


def directions_for(
    kind: Transfer, checkpoint: Checkpoint | None, study: Study, direction: Direction | None
) -> list[Direction]:
    """The direction, or all of the study's that the model serves; a UserError where it does not serve it, or none."""
    directions = [direction] if direction else list(study.directions.all())
    if not directions:
        raise UserError("The study has no direction of transfer yet.", where="direction")
    served = [one for one in directions if serves(kind, checkpoint, one)]
    some_will_do = checkpoint is not None and direction is None
    if served == directions or (served and some_will_do):
        return served
    first = next(one for one in directions if one not in served)
    if checkpoint and checkpoint.directions:
        names = ", ".join(f"{source} to {target}" for source, target in checkpoint.directions)
        raise UserError(
            "{name} does not go from {source_style} to {target_style}; it serves {names}.",
            name=checkpoint.name,
            source_style=first.source_style,
            target_style=first.target_style,
            names=names,
            where="direction",
        )
    raise kind.refuse(first.source_style, first.target_style)


def serves(kind: Transfer, checkpoint: Checkpoint | None, direction: Direction) -> bool:
    """Whether the model has this direction, case aside."""
    styles = direction.source_style.casefold(), direction.target_style.casefold()
    trained = [(source.casefold(), target.casefold()) for source, target in checkpoint.directions] if checkpoint else []
    return styles in trained if trained else kind.serves(*styles)
