"""The contents of a study, and its next step."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.permissions import Can
from accounts.permissions.routes import ROUTES
from annotation.models import Campaign, CampaignMembership
from annotation.progress.counts import progress_of_all, waiting_in_all
from annotation.study_templates import TEMPLATES, StudyTemplate
from corpora.formats import FORMATS
from corpora.models import DocumentSentence, Output, Question, Reference, Sentence, Study
from evaluation.models import Judgement, Report

# The next steps of a study that began from a template, worked out from its contents.

State = Campaign.State


@dataclass
class Task:
    """A step. `state` is done, next or later; an `optional` one is never the next."""

    title: str
    text: str
    has: str
    done: bool
    url: str
    action: str
    optional: bool = False
    state: str = "later"


def tasks_of(study: Study) -> list[Task]:
    """The steps in order; none where the study has no template. The first that is not done is the next one."""
    if study.template not in TEMPLATES:
        return []
    tasks = list(_tasks(study, TEMPLATES[study.template]))
    following = next((task for task in tasks if not task.done and not task.optional), None)
    for task in tasks:
        task.state = "done" if task.done else "next" if task is following else "later"
    return tasks


def _tasks(study: Study, template: StudyTemplate) -> Iterator[Task]:
    sources = dict(
        Sentence.objects.filter(direction__study=study).order_by().values_list("split").annotate(Count("pk"))
    )  # fmt: skip
    documents = study.documents.aggregate(all=Count("pk"), split=Count("pk", filter=~Q(split="")))
    yield _texts(study, template, documents["all"], sum(sources.values()))
    yield _flags(study, documents["all"])
    if template.groups:
        yield _groups(study, template)
    if template.selection:
        yield _selection(study, template, sources)
    if template.splits:
        late = documents["all"] - documents["split"] if documents["split"] else 0
        yield _splits(study, template, len(sources) > 1 or documents["split"] > 0, late)
    yield _people(study)
    yield from _stages(study, template)
    yield _release(study)


def _texts(study: Study, template: StudyTemplate, documents: int, sources: int) -> Task:
    labels = "; ".join(_(FORMATS[name].title) for name in template.documents.formats)
    text = _("Documents in the style %(styles)s. Fitting formats: %(formats)s.")
    return Task(
        _("Import the texts"),
        text % {"styles": ", ".join(template.documents.styles), "formats": labels},
        ngettext("%(n)s document", "%(n)s documents", documents) % {"n": f"{documents:,}"},
        documents + sources > 0,
        reverse("documents_new", args=[study.slug]),
        _("Import"),
    )


def _flags(study: Study, documents: int) -> Task:
    held = DocumentSentence.objects.filter(document__study=study, held=True).count()
    return Task(
        _("Decide on likely identifiers"),
        _("Sentences with names, dates or numbers are held back until somebody decides on them."),
        ngettext("%(n)s sentence held back", "%(n)s sentences held back", held) % {"n": f"{held:,}"},
        documents > 0 and not held,
        reverse("study_flags", args=[study.slug]),
        _("Decide"),
    )


def _groups(study: Study, template: StudyTemplate) -> Task:
    assert template.groups
    there = study.groups.aggregate(all=Count("pk"), sampled=Count("pk", filter=Q(sampled=True)))
    text = _("Match the sections, link the versions, and sample groups; the paper sampled %(n)s.")
    return Task(
        _("Link the versions and sample groups"),
        text % {"n": f"{template.groups.sample:,}"},
        _("%(all)s groups, %(sampled)s sampled") % {"all": f"{there['all']:,}", "sampled": f"{there['sampled']:,}"},
        there["sampled"] > 0,
        reverse("study_groups", args=[study.slug]),
        _("Link and sample"),
    )


def _selection(study: Study, template: StudyTemplate, sources: dict[str, int]) -> Task:
    plan = template.selection
    assert plan
    drawn = ", ".join(f"{count:,} {split}" for split, count in plan.samples.items())
    text = _("By the rule of the paper. ")
    if drawn:
        text += _("The paper sampled from each domain: %(drawn)s; select once for each.") % {"drawn": drawn}
    has = ", ".join(f"{sources[split]:,} {split}" for split in ("train", "tune", "test") if split in sources)
    wanted = set(plan.samples) or set(sources)
    return Task(
        _("Select the sources"),
        text.strip(),
        has or _("no sources yet"),
        bool(sources) and wanted <= set(sources),
        reverse("sources_select", args=[study.slug]) + f"?rule={plan.rule}",
        _("Select"),
    )


def _splits(study: Study, template: StudyTemplate, done: bool, late: int) -> Task:
    """`late` documents have no split, though others have one."""
    assert template.splits
    has = _("split") if done else _("not split yet")
    if late:
        has = ngettext("%(n)s document has no split", "%(n)s documents have no split", late) % {"n": f"{late:,}"}
    shares = ", ".join(f"{share:g}% {name}" for name, share in template.splits.proportions.items())
    rules = {"random": _("each sentence at random"), "document": _("by document"), "question": _("by question")}
    return Task(
        _("Split the texts"),
        _("As in the paper: %(rule)s, %(shares)s.") % {"rule": rules[template.splits.rule], "shares": shares},
        has,
        done and not late,
        reverse("study_splits", args=[study.slug]),
        _("Split"),
    )


def _people(study: Study) -> Task:
    count = study.memberships.count()
    return Task(
        _("Invite the people"),
        _("Invite annotators and reviewers. An admin verifies credentials on a person's page."),
        ngettext("%(n)s member", "%(n)s members", count) % {"n": f"{count:,}"},
        count > 1,
        reverse("study_members", args=[study.slug]),
        _("Invite"),
    )


def _stages(study: Study, template: StudyTemplate) -> Iterator[Task]:
    """The stages that are still there, each followed by the step that uses its answers."""
    there = {one.slug: one for one in study.campaigns.all()}
    planned = [(there[stage.slug], stage) for stage in template.stages if stage.slug in there]
    campaigns = [campaign for campaign, _stage in planned]
    progress, waiting = progress_of_all(campaigns), waiting_in_all(campaigns)
    finished: set[int] = set()
    for campaign, stage in planned:
        done = progress[campaign.pk]
        over = done.total > 0 and not done.left and not waiting.get(campaign.pk)
        before = campaign.after_id is None or campaign.after_id in finished
        if campaign.state == State.CLOSED or (over and before and campaign.state == State.OPEN):
            finished.add(campaign.pk)
        has = f"{campaign.get_state_display()}, {done.done:,}/{done.total:,}" if done.total else ""
        yield Task(
            campaign.name,
            _(stage.about),
            has or campaign.get_state_display(),
            campaign.pk in finished or _nothing_came(campaign, done.total, finished),
            reverse("campaign", args=[study.slug, campaign.slug]),
            _("Open it") if campaign.state == State.DRAFT else _("See it"),
            stage.optional,
        )
        if waiting.get(campaign.pk):
            yield _review(study, campaign, waiting[campaign.pk])
        if stage.slug == template.screening:
            yield _screened(study, campaign)


def _nothing_came(campaign: Campaign, total: int, finished: set[int]) -> bool:
    """Whether an open stage gets nothing any more, since the one before is done and handed nothing on."""
    return not total and campaign.state == State.OPEN and campaign.after_id in finished


def _review(study: Study, campaign: Campaign, waiting: int) -> Task:
    return Task(
        _("Review: %(stage)s") % {"stage": campaign.name},
        _("Accept, fix, or reject with a reason that the annotator reads."),
        ngettext("%(n)s answer waits", "%(n)s answers wait", waiting) % {"n": f"{waiting:,}"},
        False,
        reverse("campaign_review", args=[study.slug, campaign.slug]),
        _("Review"),
    )


def _screened(study: Study, campaign: Campaign) -> Task:
    chosen = Question.objects.filter(study=study, chosen=True).count()
    return Task(
        _("Adopt the screening"),
        _("The majority's decisions choose questions and abstracts; the others are left out."),
        ngettext("%(n)s question chosen", "%(n)s questions chosen", chosen) % {"n": f"{chosen:,}"},
        chosen > 0,
        reverse("campaign", args=[study.slug, campaign.slug]),
        _("Adopt"),
    )


def _release(study: Study) -> Task:
    count = study.releases.count()
    return Task(
        _("Release the gold"),
        _("A release holds the files and a datasheet, and never changes; to correct it, make another release."),
        ngettext("%(n)s release", "%(n)s releases", count) % {"n": count},
        count > 0,
        reverse("release_new", args=[study.slug]),
        _("Release"),
    )


# The way of a study, step by step: its contents, and the next step.


@dataclass
class Step:
    """One step of the way. `state` is done, next or later; `route` names the page where it is taken.

    `reachable` says whether the person may see that page, `may` whether they may take the step.
    """

    name: str
    title: str
    text: str
    has: str
    done: bool
    route: str
    action: str
    may: bool
    state: str = "later"
    reachable: bool = False


def counts_of(study: Study) -> dict[str, int]:
    """How many of each thing the study has."""
    campaigns = study.campaigns
    rewriting = Q(campaign__task_type="rewrite")
    done = CampaignMembership.objects.filter(campaign__study=study, campaign__machine_of=None).aggregate(
        judged=Coalesce(Sum("done", filter=~rewriting), 0), rewritten=Coalesce(Sum("done", filter=rewriting), 0)
    )
    return {
        "directions": study.directions.count(),
        "sentences": Sentence.objects.filter(direction__study=study).count(),
        "references": Reference.objects.filter(set__direction__study=study).count(),
        "systems": study.systems.count(),
        "outputs": Output.objects.filter(system__study=study).count(),
        "campaigns": campaigns.count(),
        "judgements": Judgement.objects.filter(ratings_import__study=study).count(),
        "judged": done["judged"],
        "rewritten": done["rewritten"],
        "answers": done["judged"] + done["rewritten"],
        "metrics": study.metric_choices.count(),
        "reports": Report.objects.filter(study=study, made_at__isnull=False).count(),
    }


def steps_of(study: Study, counts: dict[str, int], person: Any) -> list[Step]:
    """The steps in order; the first that is not done is the next one."""
    steps = _steps(counts, lambda capability: study.can(person, capability))
    following = next((step for step in steps if not step.done), None)
    for step in steps:
        step.state = "done" if step.done else "next" if step is following else "later"
        row = ROUTES.get(step.route)
        step.reachable = isinstance(row, Can) and study.can(person, row)
    return steps


def _steps(n: dict[str, int], can: Any) -> list[Step]:
    edits, metrics = can(Can.EDIT_STUDY), can(Can.RUN_METRICS)
    return [
        Step(
            "texts", _("Texts"), _("The sentences to rewrite, for each direction from one style to another."),
            ngettext("%(n)s sentence", "%(n)s sentences", n["sentences"]) % {"n": f"{n['sentences']:,}"},
            n["sentences"] > 0, "study_texts", _("Add texts"), edits,
        ),
        Step(
            "references", _("References"), _("Good rewrites by people: uploaded, or written in a campaign."),
            ngettext("%(n)s reference", "%(n)s references", n["references"]) % {"n": f"{n['references']:,}"},
            n["references"] > 0, "study_texts", _("Add references"), edits,
        ),
        Step(
            "systems", _("Systems"), _("A system rewrites the texts: upload the outputs of a model, or run one here."),
            ngettext("%(n)s system", "%(n)s systems", n["systems"]) % {"n": f"{n['systems']:,}"},
            n["outputs"] > 0, "study_systems", _("Add a system"), edits,
        ),
        Step(
            "judgements", _("Judgements"), _("People rate or rank the outputs in a campaign, or elsewhere."),
            _judged(n), n["judgements"] + n["judged"] > 0, "study_campaigns", _("Collect judgements"), edits,
        ),
        Step(
            "metrics", _("Metrics"), _("Metrics score the outputs without people."),
            ngettext("%(n)s metric", "%(n)s metrics", n["metrics"]) % {"n": n["metrics"]},
            n["metrics"] > 0, "metrics_choose", _("Choose metrics"), metrics,
        ),
        Step(
            "report", _("Report"),
            _("Ratings of systems by people and metrics, and the agreement of each metric with people."),
            _("computed") if n["reports"] else _("not computed yet"),
            n["reports"] > 0, "study_report", _("Open the report"), can(Can.VIEW_REPORT),
        ),
        Step(
            "gold", _("Gold"), _("Download people's rewrites, with their provenance."),
            ngettext("%(n)s rewrite", "%(n)s rewrites", n["rewritten"]) % {"n": f"{n['rewritten']:,}"},
            n["rewritten"] > 0, "study_gold" if n["rewritten"] else "study_campaigns", _("Ask for rewrites"), edits,
        ),
    ]  # fmt: skip


def _judged(n: dict[str, int]) -> str:
    elsewhere = ngettext("%(n)s imported judgement", "%(n)s imported judgements", n["judgements"])
    here = ngettext("%(n)s answer in judging campaigns", "%(n)s answers in judging campaigns", n["judged"])
    said = [(here, n["judged"])] if n["judged"] or not n["judgements"] else []
    said += [(elsewhere, n["judgements"])] if n["judgements"] else []
    return ", ".join(words % {"n": f"{count:,}"} for words, count in said)


def work_of(study: Study, person: Any) -> list[Campaign]:
    """The campaigns that ask for this person's work, each with `own_done`: how many items they did."""
    if study.archived_at is not None:
        return []
    role = study.role_of(person)
    campaigns = study.campaigns.filter(state__in=["open", "pilot"], roles__contains=[role]).order_by("pk")
    done = dict(
        CampaignMembership.objects.filter(campaign__in=campaigns, person=person).values_list("campaign", "done")
    )
    listed = list(campaigns)
    for campaign in listed:
        campaign.own_done = done.get(campaign.pk, 0)
    return listed
