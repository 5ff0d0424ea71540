"""Everything the pages do, the API does: both are walked.

Which actions a page or an endpoint comes to is read from the code: what its module imports and calls, through the
functions of other views and endpoints. So a new page with an action of its own fails here until an endpoint has it.
"""

import ast
import importlib
from functools import cache
from pathlib import Path

import pytest
from factories.routes import ROWS

ROOT = Path(__file__).parents[2]
ROOMS = {
    "accounts": "platform/accounts", "jobs": "platform/jobs", "corpora": "platform/corpora",
    "config": "platform/config", "demo": "platform/demo", "studies": "platform/studies",
    "study_file": "platform/study_file", "annotation": "annotation", "modelserving": "modelserving",
    "evaluation": "evaluation", "integrations": "platform/integrations",
}  # fmt: skip
# Pages that write by an action which no endpoint has, each with the reason.
NO_ENDPOINT = {
    "accounts.actions.accept_invitation": "who joins has no account yet, and no token",
    "accounts.actions.reset_password": "who lost the password has no token",
    "annotation.actions.enter_crowd": "a crowd site sends a browser, whose session is their only key",
    "annotation.actions.answer_consent": "likewise: people of a crowd site work in the browser that they came with",
    "annotation.actions.leave_crowd": "likewise",
    "annotation.actions.submit_or_revise": "a page may lose an answer on the way; a client of the API does one of both",
    "annotation.actions.lease_ahead": "a page leases ahead to go on without a network; a client of the API asks again",
    "corpora.actions.invite_members": "the API invites one person with one request, by invite_member",
    "corpora.actions.create_study_from_table": "the API makes the study, its direction and its texts by three requests",
    "corpora.actions.drop_table": "the API brings a table in with one request, so there is none half way to let go of",
}
# What a page shows, and the endpoint (or endpoints) that tell the same; or the reason why none does, in a tuple.
SHOWN_BY = {
    "home": "api:study-list",
    "palette": ["api:study-list", "api:system-list", "api:campaign-list", "api:document-list"],
    "api_page": ("it is about the API; the schema is at api/schema/",),
    "join": ("it is for people without an account",),
    "language": ("it chooses the language of pages; the API speaks English",),
    "reset": ("it is for people who cannot sign in",),
    "account_settings": "api:me",
    "notifications": "api:me-notifications",
    "tokens": "api:token-list",
    "trail": "api:trail",
    "study_file_schema": ("editors ask it",),
    "llms": ("programs ask it",),
    "health": "api:health",
    "health_live": ("load balancers ask it",),
    "health_ready": ("load balancers ask it",),
    "health_status": ("alerts ask it",),
    "metrics": ("Prometheus asks it",),
    "trail_file": "api:trail",
    "people": "api:person-list",
    "people_invite": "api:invitation-list",
    "person": "api:person-detail",
    "my_work": "api:me-work",
    "study_new": "api:study-list",
    "study_apply": "api:study-apply",
    "study_begin": "api:template-list",
    "removed_studies": "api:removed-study-list",
    "study": ["api:study-detail", "api:study-contents", "api:me-work"],
    "study_edit": "api:study-detail",
    "study_delete": "api:study-contents",
    "study_duplicate": "api:study-duplicate",
    "study_export": "api:study-export",
    "study_removed": "api:removal-list",
    "study_terms": "api:study-terms",
    "study_texts": "api:sentence-list",
    "direction_new": "api:direction-list",
    "sources_new": "api:sentence-list",
    "references_new": "api:reference-list",
    "table_new": "api:table-import",
    "table": "api:table-import",  # a dry run tells the same of a file
    "study_systems": "api:system-list",
    "system_new": "api:system-list",
    "system": "api:output-list",
    "study_members": "api:member-list",
    "study_trail": "api:study-trail",
    "study_trail_file": "api:study-trail",
    "study_documents": "api:document-list",
    "documents_new": "api:document-list",
    "document": "api:document-detail",
    "study_questions": "api:question-list",
    "study_flags": "api:flag-list",
    "study_sections": "api:section-list",
    "study_groups": "api:group-list",
    "sources_select": "api:selection-list",
    "study_splits": "api:split-list",
    "study_concepts": "api:concept-list",
    "study_campaigns": ["api:campaign-list", "api:me-work"],  # annotators see those that have work for them
    "campaign_new": "api:campaign-list",
    "campaign": "api:campaign-progress",
    "campaign_edit": "api:campaign-detail",
    "campaign_expected": "api:campaign-expected",
    "crowd_enter": ("people of a crowd site work in the browser that they came with",),
    "crowd": ("likewise",),
    "campaign_entrances": "api:entrance-list",
    "campaign_ledger": "api:campaign-ledger",
    "campaign_ledger_file": "api:campaign-ledger",
    "campaign_preview": "api:campaign-preview",
    "campaign_agreement": "api:campaign-agreement",
    "campaign_agreement_file": "api:campaign-agreement",
    "campaign_worker": "api:campaign-worker",
    "study_reviews": "api:campaign-reviews",
    "study_scales": "api:scale-list",
    "campaign_review": "api:campaign-reviews",
    "campaign_work": "api:campaign-next",
    "campaign_forms": "api:campaign-answers",  # the forms stand in one's own answers
    "campaign_answers": "api:campaign-answers",
    "campaign_revise": "api:campaign-answer",
    "study_gold": "api:gold",
    "gold_file": "api:gold",
    "gold_import_new": "api:gold-import-list",
    "gold_import": "api:gold-import",
    "release_new": "api:release-list",
    "study_publish": "api:publication-list",
    "release": "api:release-detail",
    "release_file": "api:release-file",
    "study_jobs": "api:job-list",
    "all_jobs": "api:job-list",
    "job": "api:job-detail",
    "study_models": "api:training-list",
    "training_new": "api:training-list",
    "training": "api:training-detail",
    "training_curves": "api:training-detail",
    "sweep_new": "api:sweep-list",
    "sweep": "api:sweep-detail",
    "runs_compare": "api:training-detail",
    "runs_curves": "api:training-detail",
    "checkpoint": "api:checkpoint-detail",
    "checkpoint_import": "api:checkpoint-list",
    "checkpoint_file": "api:checkpoint-file",
    "try_it": "api:model-answers",
    "try_answers": "api:model-answers-of",
    "transfer_new": "api:transfer-list",
    "transfer_file": "api:transfer-file",
    "transfer_result": "api:transfer-result",
    "study_report": "api:report",
    "report_file": "api:report",
    "study_trust": "api:report",
    "study_tables": "api:table-list",
    "study_table": "api:table-detail",
    "table_file": "api:table-detail",
    "study_rows": "api:rows",
    "study_compare": "api:comparison",
    "study_raters": "api:report",
    "study_rater_pair": "api:rater-pair",
    "study_public_links": "api:public-link-list",
    "campaign_recruiting": ["api:crowd-account-list", "api:recruitment-list"],
    "recruitment": ["api:recruitment-submissions", "api:recruitment-order-list"],
    "study_webhooks": "api:webhook-list",
    "study_webhook": "api:delivery-list",
    "site_webhooks": "api:site-webhook-list",
    "site_webhook": "api:site-delivery-list",
    "public_page": ("it is for people without an account",),
    "campaign_machines": "api:machine-list",
    "study_judges": "api:judge-run-list",
    "judge_run": "api:judge-run-detail",
    "metrics_choose": ["api:metric-choices", "api:imported-scores-list"],
    "study_ratings": "api:ratings-list",
    "study_human": "api:human-list",
    "human_new": "api:human-list",
    "human_study": "api:human-detail",
    "human_edit": "api:human-detail",
    "human_rater": "api:human-rater",
    "human_heds": "api:human-heds",
    "study_answers": "api:study-answers-file",
    "study_answers_file": "api:study-answers-file",
    "campaign_answers_file": "api:campaign-answers-file",
}
FROM_ALLAUTH = ("account_", "mfa_", "openid_", "socialaccount_")  # signing in, which a token does for the API
OWN = {"account_settings", "account_profile", "notifications"}


def is_page(module):
    return any(part in ("views", "pages") for part in module.split("."))


def is_endpoint(module):
    return any(part == "api" or part.startswith("api_") for part in module.split(".")[1:])


@cache
def names_in(module):
    """What a module imports, as {name: (module, name there)}, and its top-level functions and classes."""
    tree = ast.parse(Path(importlib.import_module(module).__file__).read_text())
    imported = {
        (alias.asname or alias.name): (node.module, alias.name)
        for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }  # fmt: skip
    own = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return imported, own


def reached(module, name=None, seen=None):
    """The actions that a function of a module comes to; without a name all that the module's functions do."""
    seen = set() if seen is None else seen
    if (module, name) in seen:
        return set()
    seen.add((module, name))
    imported, own = names_in(module)
    found = set()
    for node in own.values() if name is None else [own[name]] if name in own else []:
        for used in {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}:
            where, there = imported.get(used, (module, used))
            if ".actions." in where:
                found.add(where)
            elif where != module and (is_page(where) or is_endpoint(where) or where == "study_file.uploads"):
                found |= reached(where, there, seen)
            elif where == module and used in own:
                found |= reached(module, used, seen)
    return found


def modules(wanted):
    for room, folder in ROOMS.items():
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = ".".join([room, *file.relative_to(ROOT / folder).with_suffix("").parts])
            if wanted(name) and not name.endswith("__init__"):
                yield name


def actions_of(wanted):
    return {action: module for module in modules(wanted) for action in reached(module)}


def test_every_action_of_a_page_is_one_of_an_endpoint():
    pages, endpoints = actions_of(is_page), actions_of(is_endpoint)
    assert len(pages) > 60
    missing = {action: page for action, page in pages.items() if action not in endpoints and action not in NO_ENDPOINT}
    assert not missing, f"Give these an endpoint, or a reason in NO_ENDPOINT: {missing}"
    assert not set(NO_ENDPOINT) & set(endpoints), "These have an endpoint by now; take them out of NO_ENDPOINT."
    assert set(NO_ENDPOINT) <= set(pages)


def pages():
    read = {key for key, row in ROWS.items() if {"GET", "HEAD"} & set(row.allowed) and "/" not in key}
    return {key for key in read if not key.startswith(("api:", *FROM_ALLAUTH)) or key in OWN} - {"api_schema"}


def test_every_page_that_shows_something_has_its_endpoint():
    unknown = sorted(pages() - set(SHOWN_BY))
    assert not unknown, f"Say in SHOWN_BY which endpoint tells what these pages show, or why none does: {unknown}"
    assert not sorted(set(SHOWN_BY) - pages()), "These are no pages any more."


@pytest.mark.parametrize("page", [page for page, told in SHOWN_BY.items() if not isinstance(told, tuple)])
def test_the_endpoint_is_there_for_all_who_see_the_page(page):
    """Whoever may see the page may ask the endpoint, by the permission rows."""
    told = SHOWN_BY[page] if isinstance(SHOWN_BY[page], list) else [SHOWN_BY[page]]
    asked = {person for key in told for people in ROWS[key].allowed.values() for person in people}
    assert set(ROWS[page].allowed.get("GET", ())) <= asked


def test_every_page_that_writes_is_walked():
    """A page's write is an action: a view that changes rows by itself would be seen by no walk."""
    by_itself = []
    for module in modules(is_page):
        text = Path(importlib.import_module(module).__file__).read_text()
        found = [word for word in (".save(", ".objects.create(", ".bulk_create(", ".update_or_create(") if word in text]
        by_itself += [f"{module}: {word}" for word in found]
    assert not by_itself
