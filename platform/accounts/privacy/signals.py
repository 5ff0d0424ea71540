"""What other rooms may listen to."""

from django.dispatch import Signal

# Sent in the accepting transaction with `link` (the AccessLink) and `person` (who accepted it).
invitation_accepted = Signal()

# Sent in the erasing transaction with `person` and `pattern`, a regular expression of PostgreSQL that finds their name
# and their address in what others wrote. Receivers take both out of the tables of their room.
person_erased = Signal()

# Sent after it with `erase`, which sends it again: for whoever keeps rows outside of the rooms' tables.
erase_stored_copies = Signal()
