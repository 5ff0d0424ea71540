"""The order in which a campaign gives out its items, where some of them check on the work: drawn, as theirs is.

In the order of the material a control item would stand out between its neighbours, and a source with a text more by the
length of its row.
"""

from django.db import connection

from annotation.models import Campaign

DRAW_ORDER = """
UPDATE annotation_slot s SET position = drawn.place
FROM (SELECT id, %(behind)s + row_number() OVER (
          ORDER BY md5(concat_ws('/', %(seed)s::text, number::text)), number) AS place
      FROM annotation_item WHERE campaign_id = %(campaign)s AND number > %(behind)s) drawn
WHERE s.item_id = drawn.id AND s.state = 0 AND s.position > 0 AND s.position <> drawn.place
"""


def draw_item_order(campaign: Campaign, behind: int = 0) -> None:
    """Give the free assignments of the campaign their places by its seed; the same again changes nothing.

    `behind`: of the items after that number alone, which come behind those that are there.
    """
    campaign.mixed = True
    campaign.save(update_fields=["mixed"])
    with connection.cursor() as cursor:
        cursor.execute(DRAW_ORDER, {"campaign": campaign.pk, "seed": campaign.seed, "behind": behind})
