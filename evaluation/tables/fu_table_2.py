"""Examples of each transfer by every system (Fu et al. 2018, Table 2)."""

from functools import partial

from evaluation.tables._base import TableOrFigure
from evaluation.text_examples import examples
from foundation.papers import FU

TITLE = "Case study"
TABLE = TableOrFigure(title=TITLE, make=partial(examples, title=TITLE), paper=FU, number="Table 2", order=515)
