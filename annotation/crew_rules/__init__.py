"""The rules of who may work in a campaign; a file is a rule, and holds it as `RULE`."""

from pathlib import Path

from annotation.crew_rules._base import Ask, CrewRecord, Rule
from foundation.registry import Registry

CREW_RULES = Registry[Rule]("crew rule", "annotation.crew_rules", Path(__file__).parent, attribute="RULE")

__all__ = ["CREW_RULES", "Ask", "CrewRecord", "Rule"]
