"""`{{ name|criterion }}`: the name of a criterion in the reader's language where it is ours, as within a sentence."""

from django import template

from evaluation.views.criterion_words import criterion_in_sentence, shown_label

register = template.Library()
register.filter("criterion", criterion_in_sentence)
register.filter("shown_label", shown_label)
