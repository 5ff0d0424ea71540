"""What comes next in a study that began from a template: its steps, worked out from what there is."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Campaign
from annotation.progress.counts import progress_of_all, waiting_in_all
from annotation.study_templates import TEMPLATES, StudyTemplate
from corpora.formats import FORMATS
from corpora.models import DocumentSentence, Question, Sentence, Study

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
        yield _splits(study, template, len(sources) > 1 or documents["split"] > 0)
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
        _("Sentences with names, dates or numbers are held back until somebody says what becomes of them."),
        ngettext("%(n)s sentence held back", "%(n)s sentences held back", held) % {"n": f"{held:,}"},
        documents > 0 and not held,
        reverse("study_flags", args=[study.slug]),
        _("Decide"),
    )


def _groups(study: Study, template: StudyTemplate) -> Task:
    assert template.groups
    there = study.groups.aggregate(all=Count("pk"), sampled=Count("pk", filter=Q(sampled=True)))
    text = _("Say which sections correspond, link the versions, and sample groups; the paper sampled %(n)s.")
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
        text += _("It sampled from each domain: %(drawn)s; select once for each.") % {"drawn": drawn}
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


def _splits(study: Study, template: StudyTemplate, done: bool) -> Task:
    assert template.splits
    shares = ", ".join(f"{share:g}% {name}" for name, share in template.splits.proportions.items())
    rules = {"random": _("each sentence at random"), "document": _("by document"), "question": _("by question")}
    return Task(
        _("Split the texts"),
        _("As the paper did: %(rule)s, %(shares)s.") % {"rule": rules[template.splits.rule], "shares": shares},
        _("split") if done else _("not split yet"),
        done,
        reverse("study_splits", args=[study.slug]),
        _("Split"),
    )


def _people(study: Study) -> Task:
    count = study.memberships.count()
    return Task(
        _("Invite the people"),
        _("Those who annotate and those who review. Credentials are verified on the page of a person."),
        ngettext("%(n)s member", "%(n)s members", count) % {"n": f"{count:,}"},
        count > 1,
        reverse("study_members", args=[study.slug]),
        _("Invite"),
    )


def _stages(study: Study, template: StudyTemplate) -> Iterator[Task]:
    """The stages that are still there, each followed by what has to be done with its answers."""
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
    """An open stage that gets nothing any more, since the one before is done and handed nothing on."""
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
        _("What most people decided becomes the standing of questions and abstracts; the others are left out."),
        ngettext("%(n)s question chosen", "%(n)s questions chosen", chosen) % {"n": f"{chosen:,}"},
        chosen > 0,
        reverse("campaign", args=[study.slug, campaign.slug]),
        _("Adopt"),
    )


def _release(study: Study) -> Task:
    count = study.releases.count()
    return Task(
        _("Release the gold"),
        _("The files with a datasheet, never changed afterwards; a correction is another release."),
        ngettext("%(n)s release", "%(n)s releases", count) % {"n": count},
        count > 0,
        reverse("release_new", args=[study.slug]),
        _("Release"),
    )
