"""Languages that a person must say they know."""

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class Languages(EligibilityRule):
    name = "languages"
    label = "Languages"
    about = "Admits people whose account names all these languages."
    asks = (RuleField("", "names", "Languages", "Tags such as en or pt-BR, one per line; en-GB meets en."),)

    def unmet(self, record: EligibilityRecord, value: list[str]) -> str | None:
        known = {language.lower() for language in record.languages}
        missing = [
            language_tag for language_tag in value if not any(_covers(have, language_tag.lower()) for have in known)
        ]
        if not missing:
            return None
        return translate(
            "This work requires languages that your account does not name: {missing}.", missing=", ".join(missing)
        )


def _covers(known: str, wanted: str) -> bool:
    return known == wanted or known.startswith(f"{wanted}-")


RULE = Languages()
