"""What a release holds, in the sentence with which its job ends."""

from annotation.gold.release.settings import gold_formats
from annotation.models import Release
from jobs.execution import JobResult


def release_summary(release: Release) -> JobResult:
    counts = release.counts
    files = release.files.filter(rows__gt=0)
    said = (
        f"Release {release.number}: {counts['rows']:,} rows of {counts['sources']:,} sources, in "
        f"{files.count()} {'file' if files.count() == 1 else 'files'}."
    )
    known, kinds = gold_formats(), set(counts.get("kinds", ()))
    empty = [
        known[name].title
        for name in release.settings.get("forms", ())
        if name in known and not any(map(known[name].holds, kinds))
    ]
    return JobResult(said, f"Nothing of it could be written as {', '.join(empty)}." if empty else "")
