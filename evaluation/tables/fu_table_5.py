"""The style-embedding model by its dimensions (Fu et al. 2018, Table 5)."""

from evaluation.table_parts.model_dimensions import USUAL, table_maker, title_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import FU

MODEL = "style-embedding"
TABLE = TableOrFigure(
    title=title_of(MODEL),
    make=table_maker(MODEL, ("styleembedding", "styleembedded"), USUAL | {"style": 64}),
    paper=FU,
    number="Table 5",
    order=550,
)
