"""The pages of models: what their forms refuse and where they say it, what is polled and what it costs."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from support.campaigns import person
from support.checkpoints import checkpoint, packed, training
from support.training_studies import training_study

from accounts.permissions import Role
from corpora.actions.create_study import create_study
from corpora.models import Membership, Study
from evaluation.rendering import images
from foundation.options import list_options
from foundation.side_process import in_side_process
from jobs.models import Job
from modelserving.models import Checkpoint, TrainingRun, TransferRun
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def made_once(kept_for_the_file):
    return training_study().pk


@pytest.fixture
def study(made_once):
    return Study.objects.get(pk=made_once)


@pytest.fixture
def client(study):
    client = Client()
    client.force_login(person(Role.RESEARCHER, study))
    return client


def address(name, study, **values):
    return reverse(name, kwargs={"study": study.slug, **values})


def asked(**changes):
    """What the form of a training sends: all options, those of a small and short training among them."""
    small = {"rate": "0.01", "batch": "8", "epochs": "2", "hidden": "16", "embedding": "16"}
    usual = {
        one.name: str(one.default) for one in list_options(TRANSFERS["seq2seq"].Options) if one.default is not False
    }
    return {
        "model": "seq2seq", "direction": "", "name": "Small", "seed": "3", "device": "cpu", "option-shown": "seq2seq",
        **{f"option-{name}": value for name, value in (usual | small).items()}, **changes,
    }  # fmt: skip


def test_a_training_is_asked_for_with_what_differs(client, study):
    answer = client.post(address("training_new", study), asked())
    run = TrainingRun.objects.get()
    assert answer["Location"] == address("training", study, training=run.pk)
    assert (run.name, run.seed, run.device, run.direction) == ("Small", 3, "cpu", study.directions.get())
    assert {key: run.options[key] for key in ("hidden", "rate", "epochs", "lowercase")} == {
        "hidden": 16, "rate": 0.01, "epochs": 2, "lowercase": False,
    }  # fmt: skip


def test_options_that_nobody_saw_stay_as_they_are(client, study):
    client.post(address("training_new", study), {"model": "seq2seq", "seed": "1", "device": "auto"})
    assert TrainingRun.objects.get().options["hidden"] == 256


def test_options_of_another_model_are_not_taken(client, study):
    client.post(address("training_new", study), asked(**{"option-shown": "pbmt"}))
    assert TrainingRun.objects.get().options["hidden"] == 256


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("option-hidden", "0", "This has to be from 1 to 4,096."),
        ("option-rate", "0", "This has to be from 10⁻⁸ to 10."),
        ("option-rate", "", "This field is required."),
        ("option-clip", "-1", "This has to be at least 0."),
        ("seed", "-1", "This has to be from 0 to 2,147,483,647."),
        ("option-decay", "0.1", "Weight decay is adamw's: choose it as the optimizer."),
        (
            "option-start_from",
            "none",
            "The study has no checkpoint 'none', and there is no such file below RESTYLE_MODELS.",
        ),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client, study, field, value, sentence):
    answer = client.post(address("training_new", study), asked(**{field: value}))
    assert answer.status_code == 422
    errors = {**answer.context["form"].errors, **answer.context["options"].errors}
    assert {name: list(said) for name, said in errors.items()} == {field.removeprefix("option-"): [sentence]}
    assert f'id="id_{field}_error"' in answer.content.decode()
    assert not TrainingRun.objects.exists()


def test_ranges_are_written_as_people_read_them(client, study):
    html = client.get(address("training_new", study), {"model": "seq2seq"}, headers=HTMX).content.decode()
    assert "Learning rate; with a schedule its highest; from 10⁻⁸ to 10." in html
    assert "from 1 to 4,096." in html


def test_a_select_is_never_called_optional(client, study):
    html = client.get(address("transfer_new", study)).content.decode()
    assert "All directions that the model serves" in html
    assert "All splits" in html
    assert "(optional)" not in html
    assert "(optional)" in client.get(address("training_new", study)).content.decode(), "the name is"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"model": "t5", "preset": "medlan"}, "T5 has no preset &#x27;medlan&#x27;; did you mean medlane?"),
        ({"model": "seq2seq", "preset": "x"}, "has no presets."),
        ({"model": "seq2sek"}, "There is no model &#x27;seq2sek&#x27;; did you mean seq2seq"),
        ({"model": "rule_based_formality"}, "needs no training: run it at once."),
        ({"model": "<b>\0"}, "There is no model &#x27;&lt;b&gt;\0&#x27;; did you mean"),
    ],
)
def test_an_address_that_names_what_there_is_not_says_so_once(client, study, asked, sentence):
    for headers in ({}, HTMX):
        answer = client.get(address("training_new", study), asked, headers=headers)
        assert (answer.status_code, answer.content.decode().count(sentence)) == (200, 1), headers


def test_a_run_says_that_an_address_names_no_model(client, study):
    said = "No such model serves a direction of this study; choose one of these."
    for asked in ("checkpoint-1", "checkpoint-99999999999999999999", "seq2seq", "x\0"):
        for name in ("transfer_new", "transfer_file"):
            answer = client.get(address(name, study), {"model": asked})
            assert (answer.status_code, answer.content.decode().count(said)) == (200, 1), asked
    assert said not in client.get(address("transfer_new", study)).content.decode()


def test_a_fold_with_an_error_is_open(client, study):
    answer = client.post(address("training_new", study), asked(**{"option-clip": "-1"}))
    assert "<details open><summary>More options" in answer.content.decode()


def test_a_name_that_is_taken_is_said_at_the_name(client, study):
    client.post(address("training_new", study), asked())
    answer = client.post(address("training_new", study), asked())
    assert answer.status_code == 422
    assert answer.context["form"].errors["name"] == ["The study has a training 'Small' already."]


def test_another_model_brings_its_own_options(client, study):
    answer = client.get(address("training_new", study), {"model": "pbmt"}, headers=HTMX)
    html = answer.content.decode()
    assert 'value="pbmt"' in html
    assert "<html" not in html
    assert "option-hidden" not in html


def test_a_kind_says_what_the_study_lacks_for_it(client):
    bare = create_study(slug="bare", title="Bare", styles=["informal", "formal"])
    client.force_login(person(Role.RESEARCHER, bare))
    html = client.get(address("training_new", bare)).content.decode()
    assert html.count("The study has no direction of transfer yet.") == 1, "said once, not on each card"
    assert 'name="seed"' not in html


def test_kinds_ask_the_study_once_for_what_they_share(client, study):
    with CaptureQueriesContext(connection) as queries:
        client.get(address("training_new", study))
    lookups = [query["sql"] for query in queries if "corpora_reference" in query["sql"]]
    assert len(lookups) <= 4, lookups  # pairs to train and to tune on, and texts of both styles


def running(study, **fields):
    run = training(study)
    Job.objects.filter(pk=run.job_id).update(state="running", done=20, total=80, log="12:00:00 Started.\n")
    run.curves.create(name="loss", steps=list(range(2000)), values=[2.0] * 2000)
    run.curves.create(name="tokens a second", steps=[10, 20], values=[900.0, 1000.4])
    run.curves.create(name="bleu", steps=[10, 20], values=[12.0, 24.5], better="higher")
    rows = [{"source": "wat r u", "output": "what are u", "reference": "what are you"}]
    run.samples = [{"step": 10, "rows": [{**rows[0], "output": "wat"}]}, {"step": 20, "rows": rows}]
    run.best, run.seconds = {"curve": "bleu", "step": 20, "value": 24.5, "better": "higher"}, 30.0
    for name, value in fields.items():
        setattr(run, name, value)
    run.save()
    return run


def test_the_page_of_a_training_shows_how_far_it_is(client, study):
    run = running(study)
    html = client.get(address("training", study, training=run.pk)).content.decode()
    for said in ("BLEU 24.50", "1,000", "2 minutes", "20 of 80", ">wat r</del>", "every 1s"):
        assert said in html


def test_the_page_says_that_the_attention_has_collapsed_while_it_has(client, study):
    run = running(study)
    url = address("training", study, training=run.pk)
    curve = run.curves.create(name="attention_on_one_place", steps=[10, 20], values=[0.2, 0.84])
    said = "The attention has collapsed: 84% of it lies at one place of each source"
    assert said in client.get(url, headers=HTMX).content.decode()
    curve.values = [0.84, 0.31]
    curve.save()
    html = client.get(url).content.decode()
    assert "collapsed" not in html
    assert "Attention at one place of the source" in html
    chart = client.get(address("training_curves", study, training=run.pk)).json()
    assert chart["usermeta"]["logs"] == ["Loss (nats per token)"]


@pytest.mark.parametrize(("seconds", "wait"), [(30, 1), (120, 2), (1800, 5), (9000, 15)])
def test_it_is_asked_for_the_seldomer_the_longer_it_runs(client, study, seconds, wait):
    run = running(study, seconds=float(seconds))
    html = client.get(address("training", study, training=run.pk), headers=HTMX).content.decode()
    assert f'hx-trigger="every {wait}s"' in html


def test_what_is_over_asks_no_more(client, study):
    run = training(study)
    html = client.get(address("training", study, training=run.pk), headers=HTMX).content.decode()
    assert "hx-trigger" not in html


def test_a_look_at_a_running_training_is_cheap(client, study):
    run = running(study)
    url = address("training", study, training=run.pk)
    client.get(url, {"seen": "20", "log": "18"}, headers=HTMX)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(url, {"seen": "20", "log": "18"}, headers=HTMX)
    html = answer.content.decode()
    assert len(queries) <= 6, [query["sql"] for query in queries]  # two of them find the person and the study
    assert "hx-swap-oob" not in html
    assert len(html) < 6000


def test_new_samples_and_a_longer_log_come_with_it(client, study):
    run = running(study)
    answer = client.get(address("training", study, training=run.pk), {"seen": "10", "log": "1"}, headers=HTMX)
    html = answer.content.decode()
    assert html.count("hx-swap-oob") == 3
    assert "12:00:00 Started." in html


def test_curves_are_drawn_with_no_more_points_than_are_seen(client, study):
    run = running(study)
    chart = client.get(address("training_curves", study, training=run.pk)).json()
    rows = chart["data"]["values"]
    assert {row["curve"] for row in rows} == {"Loss (nats per token)", "BLEU on the tune set, higher is better"}
    loss = [row["step"] for row in rows if row["curve"].startswith("Loss")]
    assert (len(loss), loss[0], loss[-1]) == (400, 0, 1999)


@pytest.mark.parametrize(("name", "headers"), [("training", HTMX), ("training_curves", {})])
def test_a_curve_that_comes_while_the_page_is_made_is_no_error(client, study, name, headers):
    """The worker stores the first score behind any of the readings that the page is made of."""
    run = running(study)
    run.curves.filter(name="bleu").delete()
    for place in range(5):
        readings = iter(range(9))

        def store_another(execute, sql, *more, place=place, readings=readings):
            found = execute(sql, *more)
            if sql.startswith("SELECT") and "modelserving_trainingcurve" in sql and next(readings) == place:
                run.curves.create(name="bleu", steps=[20], values=[1.0], better="higher")
            return found

        with connection.execute_wrapper(store_another):
            answer = client.get(address(name, study, training=run.pk), {"seen": "10"}, headers=headers)
        assert answer.status_code == 200
        assert place or run.curves.filter(name="bleu").exists()
        run.curves.filter(name="bleu").delete()


def test_each_panel_has_its_own_axis_of_steps_and_no_other_stands_there(client, study):
    """By what Vega-Lite itself draws: with a shared axis one stands below the empty place beside an odd last panel."""
    run = running(study)
    for curves, panels in ((0, 2), (1, 3), (3, 5)):
        for number in range(curves):
            run.curves.get_or_create(name=f"part {number}", steps=[10, 20], values=[1.0, 2.0])
        chart = client.get(address("training_curves", study, training=run.pk)).json()
        svg = in_side_process(images.svg, chart)
        assert svg.count(">Step</text>") == panels


def test_a_training_is_stopped_resumed_and_removed(client, study):
    run = running(study)
    here = address("training", study, training=run.pk)
    assert client.post(address("training_remove", study, training=run.pk))["Location"] == here, "is still running"
    client.post(address("training_cancel", study, training=run.pk))
    assert Job.objects.get(pk=run.job_id).cancel_requested
    Job.objects.filter(pk=run.job_id).update(state="cancelled")
    client.post(address("training_resume", study, training=run.pk))
    assert Job.objects.get(pk=run.job_id).state == "queued"
    Job.objects.filter(pk=run.job_id).update(state="failed")
    client.post(address("training_remove", study, training=run.pk))
    assert not TrainingRun.objects.exists()


def test_the_list_has_trainings_and_imports_and_asks_the_database_once_for_all(client, study, tmp_path):
    url = address("study_models", study)
    checkpoint(study, tmp_path, running(study))
    with CaptureQueriesContext(connection) as of_one:
        client.get(url)
    for number in range(3):
        TrainingRun.objects.filter(name="Dictionary").update(name=f"Dictionary {number}")
        training(study)
    with CaptureQueriesContext(connection) as of_many:
        html = client.get(url).content.decode()
    assert len(of_many) == len(of_one)
    assert "20 of 80 steps" in html
    assert "every 3s" in html


def test_an_imported_checkpoint_is_shown_and_removed(client, study, tmp_path):
    file = SimpleUploadedFile("dictionary.zip", packed(tmp_path).read_bytes())
    answer = client.post(address("checkpoint_import", study), {"file": file, "name": "From afar"})
    made = Checkpoint.objects.get()
    assert answer["Location"] == address("checkpoint", study, checkpoint=made.pk)
    html = client.get(answer["Location"]).content.decode()
    assert "From afar" in html
    assert made.sha256 in html
    taken = client.get(address("checkpoint_file", study, checkpoint=made.pk))
    assert b"".join(taken.streaming_content) == packed(tmp_path, "again.zip").read_bytes()
    client.post(address("checkpoint_remove", study, checkpoint=made.pk))
    assert not Checkpoint.objects.exists()


def test_a_broken_file_is_said_beside_it(client, study):
    file = SimpleUploadedFile("broken.zip", b"no zip at all")
    answer = client.post(address("checkpoint_import", study), {"file": file})
    assert answer.status_code == 422
    assert "broken.zip" in answer.context["form"].errors["file"][0]


def test_a_strange_manifest_is_shown_as_far_as_it_is_understood(client, study, tmp_path):
    one = checkpoint(study, tmp_path)
    one.manifest |= {"trained": {"seed": {"a": 1}, "score": ["x"], "seconds": "long", "steps": True, "name": "x" * 999}}
    one.save()
    for name, values in (("checkpoint", {"checkpoint": one.pk}), ("study_models", {}), ("try_it", {})):
        assert client.get(address(name, study, **values)).status_code == 200


def test_a_checkpoint_runs_on_a_split_with_options_of_its_kind(client, study, tmp_path):
    one = checkpoint(study, tmp_path)
    url = address("transfer_new", study)
    page = client.get(url, {"model": f"checkpoint-{one.pk}"})
    assert page.context["form"]["split"].value() == "test"
    assert page.context["form"]["name"].value() == "Dictionary"
    answer = client.post(url, {
        "model": f"checkpoint-{one.pk}", "name": "Terms", "split": "test",
        "decoding-shown": f"checkpoint-{one.pk}", "decoding-choice": "most_frequent", "decoding-seed": "4",
    })  # fmt: skip
    run = TransferRun.objects.get()
    assert answer["Location"] == address("job", study, job=run.job_id)
    assert (run.checkpoint, run.split, run.system.name) == (one, "test", "Terms")
    assert run.settings == {"choice": "most_frequent", "seed": 4}


def test_a_file_is_rewritten_and_its_result_taken(client, study, tmp_path):
    one = checkpoint(study, tmp_path)
    file = SimpleUploadedFile("lines.txt", b"pt has sob\n")
    direction = study.directions.get().pk
    sent = {"model": f"checkpoint-{one.pk}", "direction": direction, "file": file}
    answer = client.post(address("transfer_file", study), sent)
    run = TransferRun.objects.get()
    assert answer["Location"] == address("job", study, job=run.job_id)
    assert client.get(answer["Location"]).status_code == 200
    assert client.get(address("transfer_result", study, transfer=run.pk)).status_code == 404


def test_a_checkpoint_of_another_study_runs_nowhere_else(client, study, tmp_path):
    foreign = checkpoint(training_study(), tmp_path)
    answer = client.post(address("transfer_new", study), {"model": f"checkpoint-{foreign.pk}", "name": "x"})
    assert answer.status_code == 422
    assert not TransferRun.objects.exists()


def test_reviewers_look_and_annotators_do_not(study, tmp_path):
    run = running(study)
    kept = checkpoint(study, tmp_path, run)
    client = Client()
    pages = [address("study_models", study), address("training", study, training=run.pk),
             address("checkpoint", study, checkpoint=kept.pk), address("try_it", study)]  # fmt: skip
    for role, status in ((Role.REVIEWER, 200), (Role.CROWD_ANNOTATOR, 403)):
        who = person(role)
        Membership.objects.create(study=study, person=who, role=role)
        client.force_login(who)
        assert [client.get(page).status_code for page in pages] == [status] * 4
    client.force_login(person(Role.REVIEWER, study))
    html = client.get(pages[1]).content.decode()
    assert "training-cancel" not in html, "who may not is offered nothing"
