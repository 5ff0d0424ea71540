"""Each task has its queue, by the length of its work."""

import pytest
from celery import current_app

from jobs.queues import BY_TASK, QUEUES, queue_of, with_those_beside


@pytest.mark.parametrize(
    ("task", "queue", "short"),
    [
        ("modelserving.tasks.train", "gpu", "quick"),
        ("modelserving.tasks.transfer", "gpu", "quick"),
        ("modelserving.tasks.answer", "serve", "serve"),
        ("evaluation.tasks.score", "metrics", "metrics"),
        ("annotation.tasks.agreement", "metrics", "metrics"),
        ("annotation.tasks.release", "default", "default"),
        ("corpora.tasks.bring_in_table", "default", "default"),
    ],
)
def test_a_task_has_its_queue(task, queue, short):
    assert (queue_of(task), queue_of(task, short=True)) == (queue, short)


def test_celery_sends_each_task_where_we_say(settings):
    current_app.loader.import_default_modules()
    ours = [name for name in current_app.tasks if not name.startswith("celery.")]
    routed = {name: current_app.amqp.router.route({}, name)["queue"].name for name in ours}
    assert routed == {name: queue_of(name) for name in ours}
    assert set(BY_TASK.values()) <= set(QUEUES)


def test_a_worker_of_long_work_has_one_of_quick_work_beside_it():
    assert with_those_beside(["gpu"]) == ["gpu", "quick"]
    assert with_those_beside(["default", "metrics"]) == ["default", "metrics"]
    assert with_those_beside(["quick", "gpu"]) == ["quick", "gpu"]
