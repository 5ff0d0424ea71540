"""The scales of the papers, in the order of their names."""

from annotation.scales._base import Level, Scale
from foundation.papers import FU, GRAHAM_2013, GYAFC, KOCMI_2022, LI, LICHT, MSD

# Formality from -3 to +3 (Pavlick and Tetreault 2016), as GYAFC section 5.1 labels it.

LABELS = (
    "Very Informal",
    "Informal",
    "Somewhat Informal",
    "Neutral",
    "Somewhat Formal",
    "Formal",
    "Very Formal",
)


ENTRIES = {
    # How much of the content is kept, from 1 to 5, with the input and the gold reference in sight (MSD section 4.3).
    # The paper says that higher values mean more content, and gives no labels for the steps; these are ours.
    "content_5": Scale(
        label="Content kept",
        measurement="ordinal",
        levels=(
            Level(1, "None", "1"),
            Level(2, "Little", "2"),
            Level(3, "About half", "3"),
            Level(4, "Most", "4"),
            Level(5, "All", "5"),
        ),
        paper=MSD,
        beside="source_and_reference",
    ),
    # Fluency from 1 to 5 (Heilman et al. 2014), as GYAFC section 5.1 labels it.
    # '1: Other' is for sentences that are incomplete or just a fragment; the paper averages it with the rest.
    "fluency_5": Scale(
        label="Fluency",
        measurement="ordinal",
        levels=(
            Level(1, "Other", "1"),
            Level(2, "Incomprehensible", "2"),
            Level(3, "Somewhat Comprehensible", "3"),
            Level(4, "Comprehensible", "4"),
            Level(5, "Perfect", "5"),
        ),
        paper=GYAFC,
    ),
    "formality_7": Scale(
        label="Formality",
        measurement="ordinal",
        levels=tuple(Level(value, label, str(value)) for value, label in enumerate(LABELS, -3)),
        paper=GYAFC,
        poles=("informal", "formal"),
    ),
    # A five-point scale for any criterion, from 1 (lowest) to 5 (highest), as in Li et al. (2018).
    # The paper gives no labels for its steps; these are ours.
    "likert_5": Scale(
        label="Five points",
        measurement="ordinal",
        levels=(
            Level(1, "Very poor", "1"),
            Level(2, "Poor", "2"),
            Level(3, "Fair", "3"),
            Level(4, "Good", "4"),
            Level(5, "Very good", "5"),
        ),
        paper=LI,
    ),
    # How far two sentences mean the same, from 1 to 6 (after Agirre et al. 2016), as GYAFC section 5.1 labels it.
    "meaning_6": Scale(
        label="Meaning preservation",
        measurement="ordinal",
        levels=(
            Level(1, "Completely dissimilar", "1"),
            Level(2, "Not equivalent but on same topic", "2"),
            Level(3, "Not equivalent but share some details", "3"),
            Level(4, "Roughly equivalent", "4"),
            Level(5, "Mostly equivalent", "5"),
            Level(6, "Completely equivalent", "6"),
        ),
        paper=GYAFC,
    ),
    # How similar a text is to its source, from 0 to 2, as Fu et al. (2018) asked for it.
    # The keys are the values themselves, as the paper names them.
    "similarity_3": Scale(
        label="Similarity",
        measurement="ordinal",
        levels=(
            Level(0, "Not similar", "0"),
            Level(1, "Somewhat similar", "1"),
            Level(2, "Very similar", "2"),
        ),
        paper=FU,
        beside="source",
    ),
    # Direct assessment on a continuous scale from 0 to 100: how far one agrees with a statement (Graham et al. 2013).
    # A slider that nobody moved has no value: a start in the middle would decide by silence.
    "slider_100": Scale(
        label="Slider",
        measurement="interval",
        levels=(Level(0, "Strongly disagree", ""), Level(100, "Strongly agree", "")),
        paper=GRAHAM_2013,
        kind="range",
    ),
    # Direct assessment from 0 to 100 with the anchors of a scalar quality metric (DA+SQM, Kocmi et al. 2022).
    "sqm_100": Scale(
        label="DA+SQM",
        measurement="interval",
        levels=(
            Level(0, "No meaning preserved", ""),
            Level(33, "Some meaning preserved", ""),
            Level(66, "Most meaning preserved and few grammar mistakes", ""),
            Level(100, "Perfect meaning and grammar", ""),
        ),
        paper=KOCMI_2022,
        kind="range",
        beside="source",
    ),
    # How far two sentences mean the same, from 1 to 5, with meaning above all (XSTS, Licht et al. 2022). The paper
    # describes each step in sentences; the short labels are ours.
    "xsts": Scale(
        label="XSTS",
        measurement="ordinal",
        levels=(
            Level(1, "About other things", "1"),
            Level(2, "Some details shared", "2"),
            Level(3, "Mostly equivalent", "3"),
            Level(4, "Paraphrases", "4"),
            Level(5, "Exactly equivalent", "5"),
        ),
        paper=LICHT,
        beside="source",
    ),
}
