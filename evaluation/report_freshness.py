"""Whether a stored report holds, by a key of all that it is made from; and which reports a person has opened."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from corpora.models import Study
from evaluation.models import Report
from evaluation.tables import TABLES

VERSION = "12"
"""Of the report itself: raise it where the same rows give other figures, so that stored reports are made again. A new
table or figure does so by itself."""

_PARTS = {
    "systems": """
        SELECT coalesce(json_agg(json_build_array(s.id, s.name, s.is_human, s.family, s.seed, s.options)
                            ORDER BY s.number), '[]')
          FROM corpora_system s WHERE s.study_id = %(study)s""",
    "outputs": """
        SELECT coalesce(json_agg(json_build_array(t.system_id, made.outputs) ORDER BY t.system_id), '[]')
          FROM modelserving_transferrun t JOIN jobs_job j ON j.id = t.job_id
          CROSS JOIN LATERAL (SELECT count(*) AS outputs FROM corpora_output o WHERE o.system_id = t.system_id) made
          WHERE t.study_id = %(study)s AND j.state <> 'done'""",
    "references": """
        SELECT json_build_array(count(*), max(r.id)) FROM corpora_reference r
          JOIN corpora_referenceset t ON t.id = r.set_id JOIN corpora_direction d ON d.id = t.direction_id
          WHERE d.study_id = %(study)s""",
    "marks": """
        SELECT json_agg(json_build_array(t.id, t.marks) ORDER BY t.id) FROM corpora_referenceset t
          JOIN corpora_direction d ON d.id = t.direction_id WHERE d.study_id = %(study)s""",
    "study": """
        SELECT json_build_array(t.unit, t.style_words, t.title, t.poles, t.language) FROM corpora_study t
          WHERE t.id = %(study)s""",
    "choice": """
        SELECT json_build_array(c.baseline_id, c.alpha, c.correction, c.variant, c.split, c.human_systems, c.averaging,
                                c.joint, c.machines)
          FROM evaluation_reportchoice c WHERE c.study_id = %(study)s""",
    "human_studies": """
        SELECT json_agg(json_build_array(h.id, h.state, h.use_controls, h.exclusions, md5(h.control_texts::text),
                                    h.comparison, h.frozen IS NULL, h.excluded, md5(h.draws::text)) ORDER BY h.id)
          FROM evaluation_humanstudy h WHERE h.study_id = %(study)s""",
    "campaigns": """
        SELECT json_agg(json_build_array(c.id, c.state, c.crew, c.guideline_version) ORDER BY c.id)
          FROM evaluation_humanstudy_campaigns k JOIN annotation_campaign c ON c.id = k.campaign_id
          WHERE c.study_id = %(study)s""",
    "sources": """
        SELECT json_build_array(count(*), max(s.id), count(s.concepts), count(nullif(s.split, '')),
                                (SELECT json_build_array(count(*), max(t.id)) FROM corpora_document t
                                  WHERE t.study_id = %(study)s),
                                (SELECT max(j.id) FROM jobs_job j
                                  WHERE j.study_slug = %(slug)s AND j.task = 'corpora.tasks.link_concepts'
                                    AND j.state = 'done'),
                                (SELECT json_agg(json_build_array(e.style, e.section, e.element) ORDER BY e.id)
                                   FROM corpora_sectionelement e WHERE e.study_id = %(study)s))
          FROM corpora_sentence s JOIN corpora_direction d ON d.id = s.direction_id WHERE d.study_id = %(study)s""",
    "metrics": """
        SELECT coalesce(json_agg(json_build_array(m.metric, m.settings) ORDER BY m.number), '[]')
          FROM evaluation_metricchoice m WHERE m.study_id = %(study)s""",
    "imported_scores": """
        SELECT json_agg(json_build_array(i.id, i.name, i.higher_is_better, i.changed_at) ORDER BY i.number)
          FROM evaluation_importedmetric i WHERE i.study_id = %(study)s""",
    "ratings": """
        SELECT concat(json_build_array(count(*), max(i.id)),
                      (SELECT json_agg(json_build_array(t.worker, t.left_out) ORDER BY t.id)
                         FROM evaluation_ratertraits t WHERE t.study_id = %(study)s AND t.left_out <> ''))
          FROM evaluation_ratingsimport i WHERE i.study_id = %(study)s""",
    "answers": """
        SELECT md5(string_agg(concat_ws(' ', t.campaign_id, t.person_id, newest.at), ';' ORDER BY t.id))
          FROM annotation_campaignmembership t JOIN annotation_campaign c ON c.id = t.campaign_id
          CROSS JOIN LATERAL (SELECT max(a.submitted_at) AS at FROM annotation_answer a
                         WHERE a.campaign_id = t.campaign_id AND a.person_id = t.person_id) newest
          WHERE c.study_id = %(study)s AND newest.at IS NOT NULL""",
    "criteria": """
        SELECT json_agg(json_build_array(c.name, c.scale, c.aspect) ORDER BY c.number) FROM annotation_criterion c
          WHERE c.study_id = %(study)s""",
    "reviews": """
        SELECT json_build_array(count(*), max(r.id)) FROM annotation_review r
          JOIN annotation_answer a ON a.id = r.answer_id JOIN annotation_campaign c ON c.id = a.campaign_id
          WHERE c.study_id = %(study)s""",
}
_QUERY = f"SELECT {', '.join(f'({part})::text' for part in _PARTS.values())}"


@dataclass(frozen=True)
class ReportInputs:
    """`key` is the SHA-256 of all inputs; `parts` are short digests of parts that change separately, by name."""

    key: str
    parts: dict[str, str]

    def changed(self, before: dict[str, str]) -> list[str]:
        """The names of the parts that have changed; none where their earlier state is unknown."""
        return [name for name, digest in self.parts.items() if before and before.get(name) != digest]


def inputs_of(study: Study) -> ReportInputs:
    """The inputs of a study's report: counts and newest keys of its rows, in one query.

    Answers are only ever added, and everybody who answers is a member of the campaign: so the newest answer of each
    member, one step in an index, stands for them all. A system comes with its outputs in one transaction, or gets
    them from a model's run until that is done: so outputs are counted only where a run is not done; else the
    system's row stands for them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, {"study": study.pk, "slug": study.slug})
        digested = [part or "" for part in cursor.fetchone()]
    parts = {name: _digest(part)[:12] for name, part in zip(_PARTS, digested, strict=True)}
    version = " ".join([VERSION, *TABLES])
    return ReportInputs(_digest("\n".join([version, *digested])), {"version": _digest(version)[:12], **parts})


def report_key(study: Study) -> str:
    """The key alone."""
    return inputs_of(study).key


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# Which reports a person has opened since they were made, as far as their session remembers.

KEY = "opened_reports"
NEW_FOR = timedelta(days=14)


def note_opened(session: Any, report: Report) -> None:
    """Remember that the report was opened as it is now; nothing is written where that is known."""
    opened = session.get(KEY, {})
    made = report.made_at.isoformat()
    if opened.get(str(report.study_id)) != made:
        session[KEY] = {**opened, str(report.study_id): made}


def unread_reports(session: Any, studies: Collection[Any]) -> set[int]:
    """The keys of the studies whose report was made within two weeks and not opened since. One query."""
    opened = session.get(KEY, {})
    made = Report.objects.filter(study__in=studies, made_at__gt=timezone.now() - NEW_FOR)
    return {
        study
        for study, made_at in made.values_list("study", "made_at")
        if opened.get(str(study)) != made_at.isoformat()
    }
