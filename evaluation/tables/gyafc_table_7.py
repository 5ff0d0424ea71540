"""Examples with every system's outputs side by side (Rao and Tetreault 2018, Table 7)."""

from functools import partial

from evaluation.tables._base import TableOrFigure
from evaluation.text_examples import examples
from foundation.papers import GYAFC

TITLE = "Examples, side by side"
TABLE = TableOrFigure(title=TITLE, make=partial(examples, title=TITLE), paper=GYAFC, number="Table 7", order=110)
