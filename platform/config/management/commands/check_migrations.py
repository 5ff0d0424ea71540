from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.db.migrations import Migration
from django.db.migrations import operations as op
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED

from foundation.errors import UserError

# Migrations that are safe while the version before them serves: web servers and workers are restarted one by one.
#
# Old processes must still read what they read, and write what they write. So a migration may remove and rename nothing
# of the last release, and may ask for nothing more. One that knows better says why, in its class:
#
# safe_while_the_old_version_serves = "No release reads the column since 0.2.0."

# The last migration of each room in the last release, 0.1.0; set anew with every release.
RELEASED = dict.fromkeys(("accounts", "annotation", "corpora", "evaluation", "jobs", "modelserving"), 1)
REASON = "safe_while_the_old_version_serves"
GONE = (op.RemoveField, op.DeleteModel, op.RenameField, op.RenameModel, op.AlterModelTable)
TIGHTER = (op.AddConstraint, op.AlterUniqueTogether)
UNKNOWN = (op.RunSQL, op.RunPython)


def unsafe_migrations(loader: MigrationLoader) -> list[str]:
    """A sentence about each operation, of a migration since the last release, that the version before would notice."""
    new = {key for key in loader.disk_migrations if key[0] in RELEASED and int(key[1][:4]) > RELEASED[key[0]]}
    order: list[tuple[str, str]] = []
    for leaf in loader.graph.leaf_nodes():
        order += [key for key in loader.graph.forwards_plan(leaf) if key not in order]
    state, fresh, found = ProjectState(real_apps=loader.unmigrated_apps), set[tuple[str, str]](), []
    for key in order:
        migration = loader.get_migration(*key)
        if key in new and not getattr(migration, REASON, ""):
            found += [f"{'.'.join(key)}: {said}" for said in _faults(migration, state, fresh)]
        if key in new:
            created = [operation for operation in migration.operations if isinstance(operation, op.CreateModel)]
            fresh |= {(key[0], one.name_lower) for one in created}
        state = migration.mutate_state(state, preserve=False)
    return found


def _faults(migration: Migration, state: ProjectState, fresh: set[tuple[str, str]]) -> Iterator[str]:
    """Faults of one migration, from the `state` before it; tables of `fresh` nobody knows yet."""
    app, state, fresh = migration.app_label, state.clone(), set(fresh)
    for operation in migration.operations:
        model = getattr(operation, "model_name_lower", getattr(operation, "name_lower", ""))
        if isinstance(operation, op.CreateModel):
            fresh.add((app, model))
        elif (app, model) not in fresh and (said := _fault(operation, app, state)):
            yield f"{operation.describe()}: {said}"
        operation.state_forwards(app, state)


def _fault(operation: Any, app: str, state: ProjectState) -> str:
    if isinstance(operation, GONE):
        return "the old version still uses it; take it away in a later release"
    if isinstance(operation, op.AddField) and _is_asked_for(operation.field):
        return "the old version writes rows without it; give it null=True or a db_default"
    if isinstance(operation, op.AlterField):
        before = state.models[app, operation.model_name_lower].fields[operation.name_lower]
        return _narrower(before, operation.field)
    if isinstance(operation, TIGHTER):
        return "the old version may write what it forbids; add it in a later release"
    if isinstance(operation, UNKNOWN):
        return "nobody can tell what it does to the old version"
    return ""


def _is_asked_for(field: Any) -> bool:
    return not (field.null or field.many_to_many or field.db_default is not NOT_PROVIDED)


def _narrower(before: Any, after: Any) -> str:
    if before.null and not after.null:
        return "the old version may write NULL; forbid it in a later release"
    if before.get_internal_type() != after.get_internal_type() or before.db_column != after.db_column:
        return "the old version reads and writes the former type; add a field, and take the old one away later"
    if after.max_length is not None and (before.max_length is None or after.max_length < before.max_length):
        return "the old version may write more; shorten it in a later release"
    if after.unique and not before.unique:
        return "the old version may write the same twice; make it unique in a later release"
    return ""


class Command(BaseCommand):
    help = "Say which migrations since the last release are not safe while the version before serves; asks no database."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        if found := unsafe_migrations(MigrationLoader(None)):
            listed = "\n".join(found)
            raise UserError(
                "{listed}\nWhere one is safe all the same, say why in its class: {reason} = '...'.",
                listed=listed,
                reason=REASON,
            )
