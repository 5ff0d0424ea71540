"""Signals to the rooms above about tables that come in.

Receivers of `report_wanted` get `study` and `by`, the person who imported a table and asked for the report on its
systems.
"""

from django.dispatch import Signal

report_wanted = Signal()
