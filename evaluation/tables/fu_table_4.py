"""The multi-decoder by its dimensions (Fu et al. 2018, Table 4)."""

from evaluation.table_parts.model_dimensions import USUAL, table_maker, title_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import FU

MODEL = "multi-decoder"
TABLE = TableOrFigure(
    title=title_of(MODEL), make=table_maker(MODEL, ("multidecoder",), USUAL), paper=FU, number="Table 4", order=540
)
