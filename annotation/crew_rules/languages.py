"""Languages that a person must say they know."""

from typing import Any

from annotation.crew_rules._base import Ask, CrewRecord, Rule
from annotation.crew_rules._reading import names


class Languages(Rule):
    label = "Languages"
    about = "People who state all these languages on their account."
    asks = (Ask("", "names", "Languages", "Tags such as en or pt-BR, one a line; en-GB meets en."),)

    def check(self, value: Any) -> list[str]:
        return names(value, "crew.languages")

    def unmet(self, record: CrewRecord, value: list[str]) -> str | None:
        known = {language.lower() for language in record.languages}
        missing = [one for one in value if not any(_covers(have, one.lower()) for have in known)]
        if not missing:
            return None
        return f"This work asks for languages that your account does not name: {', '.join(missing)}."


def _covers(known: str, wanted: str) -> bool:
    return known == wanted or known.startswith(f"{wanted}-")


RULE = Languages()
