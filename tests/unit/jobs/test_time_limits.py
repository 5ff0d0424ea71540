import pytest
from celery import current_app
from django.conf import settings

from foundation.errors import UserError
from jobs.time_limits import LIMITS, duration_in_words, time_limit_of, time_limits

DAY = 86400.0


def test_a_limit_is_that_of_the_kind_and_changed_by_the_setting():
    changed = time_limits("train = 90d, score=12h")
    assert time_limit_of("modelserving.tasks.train", time_limits()) == 30 * DAY
    assert time_limit_of("modelserving.tasks.train", changed) == 90 * DAY
    assert time_limit_of("evaluation.tasks.score", changed) == DAY / 2
    assert time_limit_of("modelserving.tasks.transfer", changed) == 7 * DAY
    assert time_limit_of("a.kind.of.tomorrow", changed) == DAY / 4


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("trian=5d", "There is no kind of job 'trian'; did you mean train?"),
        ("train", "'' is not a length of time; write one such as 90m, 12h or 7d."),
        ("train=0d", "'0d' is not a length of time"),
        ("train=5 weeks", "'5 weeks' is not a length of time"),
    ],
)
def test_what_is_no_limit_is_refused_with_a_sentence(said, answer):
    with pytest.raises(UserError, match="RESTYLE_JOB_LIMITS: ") as error:
        time_limits(said)
    assert answer in str(error.value)


@pytest.mark.parametrize(
    ("length", "said"), [(1, "1 second"), (90, "90 seconds"), (5400, "90 minutes"), (3600, "1 hour"), (DAY, "1 day")]
)
def test_a_length_of_time_in_words(length, said):
    assert duration_in_words(length) == said


def test_every_kind_is_a_task_and_every_task_of_a_job_has_a_limit_of_its_own():
    """A job's task is one that takes its row's key."""
    current_app.loader.import_default_modules()
    ours = [task for name, task in current_app.tasks.items() if name.split(".")[0] not in {"celery", "support"}]
    of_jobs = {task.name.rpartition(".")[2] for task in ours if "job_id" in task.run.__code__.co_varnames}
    assert of_jobs == set(LIMITS)


def test_the_settings_hold_them():
    assert time_limits() == settings.JOB_LIMITS
