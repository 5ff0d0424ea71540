from typing import Any

from accounts.audit import audited
from corpora.actions.map_sections import map_sections
from corpora.documents import usual_element
from corpora.models import DocumentSentence, Study


@audited
def suggest_elements(*, study: Study, by: Any = None) -> int:
    """Map the sections that have no element yet and whose title usually stands for one; answers how many."""
    mapped = set(study.section_elements.values_list("style", "section"))
    titles = DocumentSentence.objects.filter(document__study=study).exclude(section="")
    found = set(titles.values_list("document__style", "section").distinct())
    rows = [(style, title, element) for style, title in sorted(found - mapped) if (element := usual_element(title))]
    map_sections(study=study, rows=rows, by=by)
    return len(rows)
