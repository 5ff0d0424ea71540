"""What the rooms above are asked before something leaves a study or is changed in it.

Receivers of `before_removal` get `what` (a System, a ReferenceSet ...) and raise UserError where something depends on
it. Receivers of `collect_dependents` get `study`, `kind` (of `Removal`) and `rows`, the keys of what goes by model;
they raise UserError where it must stay, and answer with further rows that go along, in the same form. Receivers of
`before_split` get `study` and raise UserError where its splits are frozen, since a release was made of them.
"""

from django.dispatch import Signal

before_removal = Signal()
collect_dependents = Signal()
before_split = Signal()
