"""The auto-encoder by its dimensions (Fu et al. 2018, Table 3)."""

from evaluation.tables._dimensions import exhibit

TABLE = exhibit("auto-encoder", ("autoencoder",), "Table 3", 530)
