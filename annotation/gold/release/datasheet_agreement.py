"""What a datasheet says about agreement among annotators."""

from collections.abc import Iterator, Sequence

from annotation.agreement.measurement import summary
from annotation.models import Campaign
from corpora.models import Study


def agreement_lines(study: Study, campaigns: Sequence[str]) -> Iterator[str]:
    """Some lines for each campaign in which several people did the same item; nothing where none is.

    No person is named. A release is made by a worker or a command, so a language model may be loaded.
    """
    for campaign in study.campaigns.filter(slug__in=campaigns, overlap__gt=1, purpose=Campaign.Purpose.WORK):
        figures = summary(campaign, bertscore=True)
        if figures:
            yield f"**{' '.join(campaign.name.split())}**\n"
            yield from (f"- {what}: {value} (n={n:,})" for what, value, n in figures)
            yield ""
