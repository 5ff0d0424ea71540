"""The words of ours in heads of columns, axes and legends, and in cells under some of these heads.

Tables and figures are stored in English: files, links and kept choices name a column by its English head. A page says
these words in its reader's language (evaluation/views/table_words.py); names of metrics, systems, criteria and styles
are none of them.
"""

from typing import Final

COLUMN_HEAD = "head of a column"
"""Their context in the catalogs: "Level" is a sentence's or a system's there."""

HEADS: Final = frozenset({
    "% of rewrites", "% of texts", "95% interval", "Above", "Against the references", "Against the sources",
    "Agreement", "All", "All domains", "Alpha of people", "Alpha with it", "As given", "Both", "By item", "Cluster",
    "Coefficient", "Combined", "Combined of metrics", "Content preservation", "Control items, p", "Counted",
    "Criterion", "Difference", "Differs", "Direction", "Document", "Domain", "Edit distance",
    "Edit distance in characters", "Equivalent within", "Family", "First fifth", "Fooled by", "Fourth fifth", "From",
    "Group", "Items", "Judgements", "Kept back", "Label", "Last fifth", "Left out", "Less", "Level", "Log odds",
    "Log strength", "Lower bound", "Marked as", "Marks of", "Mean", "Metric", "Model", "Not worse by more than",
    "Number of texts", "Offset", "On the source", "Outputs", "p, corrected", "Pairs", "Pairs right", "Pairs won",
    "People", "People and metric", "Precision", "Question", "Rank", "Rate", "Rater", "Raters", "Recall", "Reference",
    "Scale", "Score", "Second fifth", "Seconds a text", "Section", "Seeds", "Sentences", "Sentences a text",
    "Share of the systems below it", "Shown", "Soft pairs", "Source", "Sources", "Standardized", "Stands above",
    "Study", "Style", "System", "Systems", "Systems also resampled", "Text", "Texts", "Third fifth", "Total",
    "Transfer strength", "Value", "Win rate", "Within systems", "Without a place", "Words a text",
    "Words of the source", "Worker", "α, the weight of BLEU", "β, the weight of HIT", "r with people",
})  # fmt: skip
"""Heads of columns, titles of axes and legends."""

KEYS: Final = frozenset({
    "above", "agreement", "alpha", "below", "beta", "both_high", "both_low", "cluster", "direction", "domain", "edits",
    "family", "foil", "from", "group", "high", "letters", "low", "measure", "metric", "name", "of", "options", "order",
    "panel", "people", "percent", "place", "score", "seed", "sentences", "share", "shown", "style", "system", "texts",
    "unit", "value",
})  # fmt: skip
"""The keys of figures' rows: `label_of_key` makes heads of them."""

CELLS: Final = frozenset({
    "sentence", "system", "yes", "no", "not ranked", "judged beside", "half of the systems or more", "fewer",
    "low is good", "Source", "Reference",
})  # fmt: skip
"""Words in the cells of `WORDED` columns, and in the panels and legends of figures."""

WORDED: Final = frozenset({
    "Coefficient", "Criterion", "Differs", "Fooled by", "Level", "Metric", "above", "cluster", "foil", "panel", "texts",
})  # fmt: skip
"""The heads of columns, and keys of figures' rows, whose cells hold words of ours, not names."""
