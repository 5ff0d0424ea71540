"""Examples of model outputs (Cao et al. 2020, Table 6)."""

from functools import partial

from evaluation.tables._base import TableOrFigure
from evaluation.text_examples import examples
from foundation.papers import MSD

TITLE = "Examples of outputs"
TABLE = TableOrFigure(
    title=TITLE, make=partial(examples, title=TITLE, reference_last=True), paper=MSD, number="Table 6", order=212
)
