"""The kinds of work that a language model can do in a campaign: all that judge texts."""

from evaluation.llm_judge.marking import Marking
from evaluation.llm_judge.rater import Choosing, MachineWork, Ranking, Rating

KINDS: dict[str, type[MachineWork]] = {"rate": Rating, "rank": Ranking, "best_worst": Choosing, "spans": Marking}
"""How a machine judges, by the kind of work."""
