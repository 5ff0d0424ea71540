"""What the quality checks found, by the answers that they found it in."""

from collections import defaultdict

from annotation.models import Answer, Campaign
from annotation.quality import findings
from annotation.review import work_of


def flags_of(campaign: Campaign) -> dict[int, list[str]]:
    """The names of the checks by the keys of answers, a person's work in memory at a time.

    Checks look at each person's newest revisions; pilots, late work, skipped and reported items have none.
    """
    flags: dict[int, list[str]] = defaultdict(list)
    people = Answer.objects.filter(campaign=campaign, outcome="answered").order_by().values_list("person", flat=True)
    for person in people.distinct():
        for finding in findings(work_of(campaign, person), campaign.checks):
            for key in finding.keys:
                if finding.check not in flags[key]:
                    flags[key].append(finding.check)
    return dict(flags)
