"""What options of models are grouped by, in the words of the field. An option that a model declares anew keeps the
group that it has where it was declared first (`foundation.options.list_options`)."""

from foundation.translation import translatable

OPTIMIZATION = translatable("Optimization")
SCHEDULE = translatable("Learning-rate schedule")
REGULARIZATION = translatable("Regularization")
BATCHES = translatable("Batches and memory")
SCORING = translatable("Stopping and scoring")
CHECKPOINTS = translatable("Checkpoints")
TEXTS = translatable("Texts")
NETWORK = translatable("Network")
PRETRAINED = translatable("Pretrained model")
SEARCH = translatable("Search")
SAMPLING = translatable("Sampling")
COMPUTATION = translatable("Computation")
ADAPTER = translatable("Adapter")
LANGUAGE_MODEL = translatable("Language model")
PHRASES = translatable("Phrase table")
SELF_TRAINING = translatable("Self-training")
TUNING = translatable("Tuning of the weights")
LOSSES = translatable("Losses")
SAMPLES = translatable("Soft samples")
MARKERS = translatable("Attribute markers")
EDITS = translatable("Edits")
MORE_PAIRS = translatable("Self-training and back-translation")
ADVERSARIES = translatable("Adversarial training")
