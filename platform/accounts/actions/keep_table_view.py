from django.db import transaction

from accounts.fields import TableViewFields
from accounts.models import Person, TableView
from foundation.errors import UserError
from foundation.options import Value, complete

MOST = 200  # tables


@transaction.atomic
def keep_table_view(*, person: Person, table: str, **chosen: object) -> dict[str, Value]:
    """Keep how a person sees a table of the pages, in place of what they chose before; nothing chosen forgets it.

    Raises:
        UserError: A field is wrong, or the person has chosen for more tables than the pages have.
    """
    kept = complete(TableViewFields, chosen)
    if not any(kept.values()):
        person.table_views.filter(table=table).delete()
    elif person.table_views.exclude(table=table).count() >= MOST:
        raise UserError("At most {most} are allowed.", most=MOST, where="table")
    else:
        TableView.objects.update_or_create(person=person, table=table, defaults={"chosen": kept})
    return kept
