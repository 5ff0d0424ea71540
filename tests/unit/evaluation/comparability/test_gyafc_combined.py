"""GYAFC's Combined, held to its Table 4: the means that the paper prints give the Combined that it prints.

But for people's judgements of NMT Combined: their printed means give 5.28, and the paper prints 5.32.
"""

import numpy as np
import pytest

from evaluation.comparability.gyafc_combined import combined

PEOPLE = {  # formality, fluency, meaning, Combined
    "Formal Reference": (0.38, 4.45, 4.57, 5.68),
    "Rule-based": (-0.59, 4.00, 4.85, 5.24),
    "PBMT": (-0.19, 3.96, 4.64, 5.27),
    "NMT Baseline": (0.05, 4.05, 3.55, 4.96),
    "NMT Copy": (0.02, 4.07, 3.48, 4.93),
}
METRICS = {
    "Formal Reference": (0.17, 3.32, 3.64, 4.67),
    "Rule-based": (-0.34, 3.09, 4.41, 4.69),
    "PBMT": (0.00, 3.28, 4.19, 4.82),
    "NMT Baseline": (0.07, 3.52, 3.89, 4.84),
    "NMT Combined": (0.00, 3.27, 4.20, 4.82),
}


@pytest.mark.parametrize("row", [*PEOPLE.values(), *METRICS.values()])
def test_the_papers_own_means_give_its_combined(row):
    """To the rounding of four printed numbers."""
    assert float(combined(*map(np.float64, row[:3]))) == pytest.approx(row[3], abs=0.013)
