"""Which migrations a database has, held to those of this version: one that replaces others stands for all of them."""

from collections.abc import Collection

from django.db.migrations.loader import MigrationLoader

from foundation.errors import UserError

LAST_WITH_ALL = "33bc214"  # the commit of 2026-11-27 that still had each migration since 0.1.0 by itself


def known_migrations() -> set[tuple[str, str]]:
    """(app, name) of each migration of this version, and of each that one of them replaces."""
    here = MigrationLoader(None).disk_migrations
    return {*here, *(key for migration in here.values() for key in migration.replaces)}


def refuse_between_versions(applied: Collection[tuple[str, str]]) -> None:
    """UserError where some migrations of a replaced row are there and others are not: nothing leads on from there."""
    for migration in MigrationLoader(None).disk_migrations.values():
        there = set(migration.replaces) & set(applied)
        if there and len(there) < len(migration.replaces):
            raise UserError(
                "The database is of a state between two versions: of {app} it has the migrations up to {last}. "
                "Install commit {commit}, migrate with it, and then install this version again.",
                app=migration.app_label,
                last=max(name for _, name in there),
                commit=LAST_WITH_ALL,
            )
