"""N-grams of texts: tokenizers, counts, and the arithmetic of BLEU and ROUGE over them."""
