"""The style-embedding model by its dimensions (Fu et al. 2018, Table 5)."""

from evaluation.tables._dimensions import exhibit

TABLE = exhibit("style-embedding", ("styleembedding", "styleembedded"), "Table 5", 550)
