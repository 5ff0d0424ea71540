"""A language model that rates beside people: through the queue, resumed, paid once, marked, and counted for nobody."""

import json

import pytest
from django.urls import reverse
from support import campaigns
from support.clients import as_person, with_token
from support.language_model_server import completion, served

from accounts.permissions import Role
from annotation.actions.export_answers import export_answers
from annotation.actions.revise_guideline import revise_guideline
from annotation.models import Answer, Assignment, Campaign, MachineRater
from corpora.models import Study
from evaluation.actions.add_machine_rater import add_machine_rater
from evaluation.actions.choose_report import choose_report
from evaluation.actions.make_report import make_report
from evaluation.actions.start_machine_rater import start_machine_rater
from evaluation.tasks import rate_by_machine
from foundation.errors import UserError
from jobs.models import Job

pytestmark = pytest.mark.django_db
ITEMS = 4
ASKED = {"endpoint": "lab", "model": "tiny"}


def reply(request, text):
    body = json.loads(completion(request))
    body["choices"][0]["message"]["content"] = text
    return 200, {}, json.dumps(body).encode()


def value_of(text):
    return 1 + sum(map(ord, text)) % 5


def rater(request):
    prompt = request["messages"][-1]["content"]
    if "BEST: and" in prompt:
        values = [value_of(part.split("\n")[2]) for part in prompt.split("\nText ")[1:]]
        best, worst = (1 + values.index(end(values)) for end in (max, min))
        return reply(request, f"BEST: {best}\nWORST: {worst if worst != best else best % len(values) + 1}")
    if '{"marks":' in prompt:
        return reply(request, json.dumps(marks_of(prompt.split("\nRewritten:\n")[1].split("\n")[1])))
    if "\nA: " in prompt:
        first, second = (prompt.partition(f"\n{side}: ")[2].partition("\n")[0] for side in "AB")
        return reply(
            request, "A" if value_of(first) > value_of(second) else "B" if value_of(first) < value_of(second) else "TIE"
        )
    return reply(request, f"Score: {value_of(prompt.partition('Rewritten: ')[2].partition(chr(10))[0])}")


def marks_of(text, **more):
    """What the server marks: the first word as a minor error, and a value as the score."""
    return {"marks": [{"text": "output", "quote": text.split()[0], "severity": "Minor"}],
            "scores": {"score": 10 * value_of(text)}, **more}  # fmt: skip


@pytest.fixture
def server(monkeypatch):
    with served(behave=rater) as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"lab={one.url} models=tiny local=1; far={one.url} models=tiny")
        yield one


@pytest.fixture
def study(server):
    return campaigns.study(items=ITEMS, systems=3, references=1)


@pytest.fixture
def people(study):
    criteria = [{"name": "fluency", "scale": "fluency_5"}]
    return campaigns.campaign(study, "rate", settings={"criteria": criteria}, overlap=2)


def worked(machine):
    rate_by_machine(machine.job_id)
    return MachineRater.objects.select_related("job", "campaign", "of__study", "person").get(pk=machine.pk)


def added(campaign, **given):
    return worked(add_machine_rater(campaign=campaign, by=None, **{**ASKED, **given}))


def test_it_rates_each_text_through_the_queue_and_takes_no_persons_place(people, server):
    machine = added(people)
    assert machine.job.state == Job.State.DONE, machine.job.error
    answers = Answer.objects.filter(campaign=machine.campaign).select_related("item", "assignment")
    assert len(answers) == ITEMS
    for answer in answers:
        assert answer.person == machine.person
        assert answer.assignment.state == Assignment.State.DONE
        assert [row["fluency"] for row in answer.content["ratings"]] == list(
            map(value_of, answer.item.content["candidates"])
        )
    assert not Answer.objects.filter(campaign=people).exists()
    assert people.assignments.filter(state=Assignment.State.FREE).count() == 2 * ITEMS
    assert (machine.models, len(machine.prompt)) == ("tiny", 12)
    assert f"prompt:{machine.prompt}|samples:1" in machine.signature


def test_it_ranks_by_pairs_in_both_orders(study, server):
    machine = added(campaigns.campaign(study, "rank"))
    assert len(server.requests) == ITEMS * 3 * 2
    for answer in Answer.objects.filter(campaign=machine.campaign).select_related("item"):
        values = list(map(value_of, answer.item.content["candidates"]))
        assert answer.content["ranks"] == [1 + sum(other > value for other in values) for value in values]


def test_it_chooses_the_best_and_the_worst_in_both_orders(study, server):
    machine = added(campaigns.campaign(study, "best_worst"))
    assert machine.job.state == Job.State.DONE, machine.job.error
    assert len(server.requests) == ITEMS * 2
    for answer in Answer.objects.filter(campaign=machine.campaign).select_related("item"):
        values = list(map(value_of, answer.item.content["candidates"]))
        if len(set(values)) == len(values):
            assert (values[answer.content["best"] - 1], values[answer.content["worst"] - 1]) == (
                max(values), min(values)
            )  # fmt: skip


@pytest.fixture
def marking(study):
    return campaigns.campaign(study, "spans", settings={"taxonomy": "esa"})


def test_it_marks_what_it_quotes_and_counts_only_where_the_report_names_it(marking, server):
    machine = added(marking)
    assert machine.job.state == Job.State.DONE, machine.job.error
    answers = list(Answer.objects.filter(campaign=machine.campaign).select_related("item"))
    assert len(answers) == len(server.requests) == ITEMS * 3
    for answer in answers:
        (text,) = answer.item.content["candidates"]
        (mark,) = answer.content["marks"]
        assert (text[mark["start"] : mark["end"]], mark["severity"]) == (text.split()[0].strip(".,"), "Minor")
        assert answer.content["ratings"] == [{"score": 10 * value_of(text)}]
    (request, *_) = server.requests
    assert (request["max_tokens"], request["response_format"]["json_schema"]["strict"]) == (2000, True)
    study = marking.study
    who = campaigns.person(study=study)
    for _ in range(ITEMS * 3):
        work = campaigns.held(marking, who)
        campaigns.hand_in(marking, who, work, content={"marks": [], "none": True, "ratings": [{"score": 50}]})
    beside = make_report(study=study)
    assert {(row["name"], row["criterion"], row["counted"]) for row in beside.content["machines"]} == {
        ("machine: tiny", "score", False), ("machine: tiny", "mqm", False)
    }  # fmt: skip
    assert "machine: tiny" in json.dumps(beside.tables_and_figures["span_metrics"])
    assert "machine" not in json.dumps(beside.tables_and_figures["marks_places"])
    choose_report(study=study, machines=["tiny"])
    named = make_report(study=study).tables_and_figures
    assert "Minor" in json.dumps(named["marks_places"])


def test_what_is_no_mark_and_half_an_answer_stand_in_the_log(marking, server):
    texts = iter(["{", json.dumps({"marks": [{"text": "output", "quote": "zzz", "severity": "Minor"}]})])

    def hostile(request):
        text = request["messages"][-1]["content"].split("\nRewritten:\n")[1].split("\n")[1]
        more = [{"text": "output", "quote": "zzz"}, *marks_of(text)["marks"]]
        return reply(request, next(texts, json.dumps(marks_of(text, marks=more))))

    server.behave = hostile
    machine = added(marking, parallel=1)
    assert machine.counts == {"items": ITEMS * 3, "answers": ITEMS * 3 - 2, "unread": 2}
    assert "Item 1: the model's answer is not the JSON asked for." in machine.job.log
    assert "Item 2: no mark of the model's answer has a place" in machine.job.log
    assert machine.job.log.count("“zzz” does not stand in the rewritten text, so it is no mark.") == ITEMS * 3 - 1
    assert f"{ITEMS * 3 - 1} marks were left out" in machine.job.warning


def test_an_answer_of_megabytes_ends_the_job_with_a_sentence(marking, server):
    server.behave = lambda request: reply(request, "x" * 3_000_000)
    machine = added(marking)
    assert (machine.job.state, machine.job.error) == (
        Job.State.FAILED, "The endpoint lab answers with more than an answer can be."
    )  # fmt: skip
    assert not Answer.objects.filter(campaign=machine.campaign).exists()


def test_a_changed_guideline_is_another_rater(people, server):
    revise_guideline(campaign=people, text="Judge {output} as a nurse would.", by=None)
    first = added(people)
    assert first.guideline == people.guideline_version == 2
    assert all("Judge {output} as a nurse would." in prompt for prompt in server.prompts)
    assert f"prompt:{first.prompt}|guideline:2|samples:1" in first.signature
    revise_guideline(campaign=people, text="Judge as a patient would.", by=None)
    again = worked(start_machine_rater(machine=first, by=None))
    assert (again.guideline, again.prompt, again.signature) == (2, first.prompt, first.signature)
    second = added(people)
    assert (second.name, second.guideline) == ("tiny, guideline 3", 3)
    assert second.prompt != first.prompt
    assert set(Answer.objects.filter(campaign=second.campaign).values_list("guideline_version", flat=True)) == {3}
    with pytest.raises(UserError, match="works here already"):
        added(people)


@pytest.mark.parametrize("kind", ["rate", "rank", "best_worst", "spans"])
def test_one_that_was_killed_goes_on_and_pays_nothing_twice(study, server, monkeypatch, kind):
    criteria = {"criteria": [{"name": "fluency", "scale": "fluency_5"}]} if kind == "rate" else {}
    people, handed_in = campaigns.campaign(study, kind, settings=criteria), campaigns.submit_answer

    def killed(**given):
        if Answer.objects.filter(campaign__machine_of=people).count() == 2:
            raise SystemExit  # the process is gone, with an item in the machine's hands
        return handed_in(**given)

    monkeypatch.setattr("evaluation.actions.rate_by_machine.submit_answer", killed)
    machine = add_machine_rater(campaign=people, by=None, **ASKED)
    with pytest.raises(SystemExit):
        rate_by_machine(machine.job_id)
    asked = len(server.requests)
    monkeypatch.setattr("evaluation.actions.rate_by_machine.submit_answer", handed_in)
    Job.objects.filter(pk=machine.job_id).update(state=Job.State.FAILED)
    machine.refresh_from_db()
    again = worked(start_machine_rater(machine=machine, by=None))
    assert again.job.state == Job.State.DONE, again.job.error
    items = again.campaign.size
    assert Answer.objects.filter(campaign=again.campaign).count() == items
    assert len(server.requests) == asked == {"rate": 3, "rank": 6, "best_worst": 2, "spans": 3}[kind] * ITEMS
    assert again.counts == {"items": items, "answers": items, "unread": 0}


def test_samples_are_read_together_and_what_says_nothing_is_skipped(people, server):
    said = iter(["4", "4", "3"])
    server.behave = lambda request: reply(request, next(said, "I cannot say."))
    machine = added(people, samples=3, temperature=0.7, parallel=1)
    first = Answer.objects.get(campaign=machine.campaign, outcome="skipped", item__number=1)
    assert first.content["comment"] == "The model's answers hold no judgement."
    assert machine.job.state == Job.State.FAILED
    assert machine.counts["unread"] == ITEMS


def test_people_cannot_work_in_its_place_nor_it_in_theirs(people, server):
    machine = added(people)
    assert list(people.study.campaigns.all()) == [people]
    admin = campaigns.person(Role.ADMIN)
    assert campaigns.claim(machine.campaign, admin).reason == "not_qualified"
    assert campaigns.claim(people, machine.person).reason == "not_qualified"
    client = with_token(campaigns.person(Role.CROWD_ANNOTATOR, people.study))
    address = reverse("api:campaign-next", args=[people.study.slug, machine.campaign.slug])
    assert client.post(address).json()["reason"] == "not_qualified"


def test_texts_that_may_not_leave_stay(people, server):
    Study.objects.filter(pk=people.study_id).update(restricted=True)
    people.study.refresh_from_db()
    with pytest.raises(UserError, match="so they may not go to far"):
        add_machine_rater(campaign=people, by=None, **{**ASKED, "endpoint": "far"})
    assert not MachineRater.objects.exists()
    assert not Campaign.everything.exclude(machine_of=None).exists()
    assert added(people).job.state == Job.State.DONE, "the lab's own endpoint may have them"


@pytest.mark.parametrize("kind", ["best_worst", "spans"])
def test_neither_texts_nor_guideline_go_outside_once_the_terms_keep_them(study, server, kind):
    people = campaigns.campaign(study, kind, guideline="Our own words.")
    machine = add_machine_rater(campaign=people, by=None, **{**ASKED, "endpoint": "far"})
    Study.objects.filter(pk=study.pk).update(restricted=True)
    machine = worked(machine)
    assert machine.job.state == Job.State.FAILED
    assert "so they may not go to far" in machine.job.error
    assert server.requests == []
    study.refresh_from_db()
    with pytest.raises(UserError, match="so they may not go to far"):
        start_machine_rater(machine=machine, by=None)
    with pytest.raises(UserError, match="so they may not go to far"):
        add_machine_rater(campaign=people, by=None, **{**ASKED, "endpoint": "far", "name": "two"})


def rated(people, who):
    for _ in range(ITEMS):
        work = campaigns.held(people, who)
        values = [{"fluency": value_of(work.content["candidates"][place])} for place in work.order]
        campaigns.hand_in(people, who, work, content={"ratings": values})


def test_the_report_shows_it_beside_people_and_counts_it_only_by_name(people, server):
    study = people.study
    first, second = (campaigns.person(study=study) for _ in range(2))
    rated(people, first)
    rated(people, second)
    alone = make_report(study=study).content
    machine = added(people)
    beside = make_report(study=study).content
    for part in (
        "systems",
        "agreement",
        "raters",
        "rater_pairs",
        "rater_models",
        "correlations",
        "trust",
        "leaderboard",
    ):
        assert beside[part] == alone[part], part
    (row,) = beside["machines"]
    assert (row["name"], row["counted"], row["both"], row["n"]) == ("machine: tiny", False, 3 * ITEMS, 3 * ITEMS)
    assert (row["r"], row["offset"]) == pytest.approx((1.0, 0.0))
    assert row["alpha_people"] == row["alpha_with"] == 1.0
    assert row["signature"] == machine.signature
    choose_report(study=study, machines=["tiny"])
    named = make_report(study=study)
    assert named.content["raters"]["count"] == alone["raters"]["count"] + 1
    for table in ("leaderboard", "agreement", "rater_model", "workers"):
        assert "Among the people who judged is machine: tiny" in json.dumps(named.tables_and_figures[table]), table
    with pytest.raises(UserError, match="No language model of the name 'huge'"):
        choose_report(study=study, machines=["huge"])


def test_exports_mark_its_answers(people, server):
    machine = added(people)
    rated(people, campaigns.person(study=people.study))
    _, chunks = export_answers(study=people.study, options={"format": "jsonl"})
    rows = [json.loads(line) for line in b"".join(chunks).splitlines()]
    theirs = [row for row in rows if row["machine"]]
    assert len(rows) == 2 * ITEMS
    assert {(row["annotator"], row["machine"]) for row in theirs} == {("machine: tiny", machine.signature)}
    assert len(theirs) == ITEMS


@pytest.mark.parametrize(("given", "sentence"), [
    ({"model": "huge"}, "The endpoint lab has no model 'huge'"),
    ({"endpoint": ""}, "Name an endpoint of this site"),
    ({"message": "{outptu}"}, "There is no {outptu}"),
    ({"samples": 2}, "Several answers need a temperature"),
])  # fmt: skip
def test_what_cannot_rate_is_refused_and_changes_nothing(people, server, given, sentence):
    client = with_token(campaigns.person(Role.RESEARCHER, people.study))
    address = reverse("api:machine-list", args=[people.study.slug, people.slug])
    sent = client.post(address, {**ASKED, **given}, "application/json")
    assert sent.status_code == 400
    assert sentence in sent.json()["detail"]
    assert not Campaign.everything.exclude(machine_of=None).exists()


def test_by_page_and_by_api(people, server):
    lead = as_person(campaigns.person(Role.RESEARCHER, people.study))
    address = reverse("campaign_machines", args=[people.study.slug, people.slug])
    page = lead.get(address)
    fields = {name: field.initial for name, field in page.context["form"].fields.items() if field.initial is not None}
    assert lead.post(address, {**fields, **ASKED}).url == address
    machine = worked(MachineRater.objects.get())
    assert "machine: tiny" in lead.get(address).content.decode()
    client = with_token(campaigns.person(Role.RESEARCHER, people.study))
    told = client.get(reverse("api:machine-detail", args=[people.study.slug, people.slug, machine.pk])).json()
    assert (told["state"], told["counts"]["answers"], told["shown"]) == ("done", ITEMS, "machine: tiny")
    lead.post(reverse("machine_remove", args=[people.study.slug, people.slug, machine.pk]))
    assert not Campaign.everything.exclude(machine_of=None).exists()
    assert Campaign.objects.filter(pk=people.pk).exists()
