"""The auto-encoder by its dimensions (Fu et al. 2018, Table 3)."""

from evaluation.table_parts.model_dimensions import USUAL, table_maker, title_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import FU

MODEL = "auto-encoder"
TABLE = TableOrFigure(
    title=title_of(MODEL), make=table_maker(MODEL, ("autoencoder",), USUAL), paper=FU, number="Table 3", order=530
)
