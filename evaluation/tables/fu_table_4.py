"""The multi-decoder by its dimensions (Fu et al. 2018, Table 4)."""

from evaluation.tables._dimensions import exhibit

TABLE = exhibit("multi-decoder", ("multidecoder",), "Table 4", 540)
