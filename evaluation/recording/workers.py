"""Who judged, how their test on control items came out, and whom the filtered judgements are without."""

import numpy as np

from corpora.models import Study
from evaluation.recording.given import Given
from evaluation.tables import Workers


def workers_of(study: Study, given: Given) -> Workers:
    """The raters of the judgements, in the order of their numbers there."""
    names = list(given.raters)
    return Workers(names, np.full(len(names), np.nan), [""] * len(names))
