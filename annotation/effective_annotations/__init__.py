"""The answers that count after revisions and reviews, and what they made: products, rewrites, judgements."""
