"""The models on published texts, and the tables of `docs/results.md`: `make results`. Needs no database.

An experiment is a file: it trains models one after the other, judges what each writes, and has a table. What a run
found is kept as a JSON file the moment it is done, so that an experiment that was stopped goes on, and a training goes
on from what it kept itself.
"""

EXPERIMENTS = ("asset", "shakespeare", "captions")
