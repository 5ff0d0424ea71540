"""The terms of the crowd sites: the names of their ids in an address, and the text to paste into them."""

from dataclasses import dataclass

from annotation.models import RecruitmentLink

PLACEHOLDER = "THEIR_ID"  # what the researcher replaces; nobody's id
NOT_TAKEN = "ASSIGNMENT_ID_NOT_AVAILABLE"  # Mechanical Turk, while somebody only looks at a task


@dataclass(frozen=True)
class Names:
    """The parameters of an address: the person's id, and the id of their session or assignment."""

    person: str
    session: str
    query: str


SITES = {
    RecruitmentLink.Site.PROLIFIC: Names(
        "PROLIFIC_PID",
        "SESSION_ID",
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
    ),
    RecruitmentLink.Site.MTURK: Names("workerId", "assignmentId", ""),
    RecruitmentLink.Site.OTHER: Names("id", "session", f"?id={PLACEHOLDER}"),
}
# Mechanical Turk shows a task in a frame, where nobody can sign in; so the task's own page opens the link in a tab and
# hands on the ids that it was shown with.
TASK = """<p><a id="restyle" target="_blank" rel="noopener" href="{url}">Open the task</a></p>
<script>document.getElementById("restyle").href += window.location.search</script>
<p><label>Your completion code: <input name="code" required></label></p>"""
RETURN = "https://app.prolific.com/submissions/complete?cc={code}"


def to_paste(site: str, url: str) -> str:
    """The text that the researcher pastes into the site: the link with its placeholders, or the page of the task."""
    return TASK.format(url=url) if site == RecruitmentLink.Site.MTURK else url + SITES[RecruitmentLink.Site(site)].query


def way_back(site: str, code: str) -> str:
    """The address at the site that takes the code; "" where the person types it in."""
    return RETURN.format(code=code) if site == RecruitmentLink.Site.PROLIFIC else ""
