"""The models on published texts, and the tables of `docs/results.md`: `make results`. Needs no database.

An experiment is a file: it trains models one after the other, judges the texts that each writes, and has a table. The
results of a run are kept as a JSON file the moment it is done, so that a stopped experiment goes on. A training goes on
from the state that it kept itself.
"""

EXPERIMENTS = ("shakespeare", "shakespeare_unpaired", "paradetox", "asset", "instruct", "preferences", "captions")
