"""One migrated database for all processes of a run: they copy theirs from it, which takes a twentieth of the time.

It is migrated with less of what Django takes for a new table, which made each first test with a database four seconds
longer. `tests/integration/config/test_upgrades.py` holds its schema to that of sites that Django migrated as ever.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from foundation.disk import exclusive_lock


def migrated_once(data: Path) -> str:
    """The name of the embedded server's own database, empty but for its tables; the first process makes these."""
    from django.core.management import call_command
    from django.db import connection

    done = data / "migrated"
    with exclusive_lock(data / "migrated.lock"):
        if not done.exists():
            with new_models_alone():
                call_command("migrate", verbosity=0, interactive=False)
            connection.close()
            connection.close_pool()  # none is copied while somebody is connected to it
            done.touch()
    return str(connection.settings_dict["NAME"])


@contextmanager
def new_models_alone() -> Iterator[None]:
    """In this block a migration's new model is made by itself; those that it refers to learn of it as in an app.

    Django keeps the models of a migration's state as classes, and makes those anew that a changed model is related to.
    It does so for a new one too, to which nothing refers yet.
    """
    from django.db.migrations.state import ProjectState

    of_django: Any = ProjectState.add_model

    def add_model(self: Any, model_state: Any) -> None:
        if "apps" not in vars(self) or _has_others_classes(self.apps):
            of_django(self, model_state)
            return
        key = model_state.app_label, model_state.name_lower
        self.models[key] = model_state
        if self._relations is not None:
            self.resolve_model_relations(key)
        self.apps.render_multiple([model_state])

    ProjectState.add_model = add_model
    try:
        yield
    finally:
        ProjectState.add_model = of_django


def _has_others_classes(apps: Any) -> bool:
    """Whether there are classes of the state that this one was copied from: they see only what refers to them there."""
    return any(model._meta.apps is not apps for model in apps.get_models(include_auto_created=True))
