"""How the learning rate changes from update to update: a factor of the highest rate."""

import math

from modelserving.training.recipe import TrainingRecipe


def factor(recipe: TrainingRecipe, done: int, total: int) -> float:
    """What the rate is multiplied by in an update.

    In the first `warmup` updates it rises in a line to 1. Then it stays (constant), falls as the inverse square root of
    the number of the update (Vaswani et al. 2017, section 5.3: theirs is this one with the rate (d * warmup)^-0.5), or
    falls to 0 at the end of the last epoch, in a line or as half a cosine (Loshchilov and Hutter 2017).

    Args:
        recipe: Says the schedule and the warmup.
        done: Updates before this one.
        total: Updates of the whole training, where it does not stop sooner.
    """
    if done < recipe.warmup:
        return (done + 1) / recipe.warmup
    if recipe.schedule == "inverse_sqrt":
        return math.sqrt(max(1, recipe.warmup) / (done + 1))
    gone = min(1.0, (done - recipe.warmup) / max(1, total - recipe.warmup))
    if recipe.schedule == "linear":
        return 1 - gone
    return (1 + math.cos(math.pi * gone)) / 2 if recipe.schedule == "cosine" else 1.0


def needs_total(recipe: TrainingRecipe) -> bool:
    """Whether the factor depends on how many updates there are."""
    return recipe.schedule in ("linear", "cosine")
