"""Examples with every system's outputs side by side (Rao and Tetreault 2018, Table 7)."""

from functools import partial

from evaluation.tables._base import Exhibit
from evaluation.tables._examples import examples
from foundation.papers import GYAFC

TITLE = "Examples, side by side"
TABLE = Exhibit(title=TITLE, make=partial(examples, title=TITLE), paper=GYAFC, number="Table 7", order=110)
