"""Two systems beside each other, over the sentences that both have: measures, pairs of outputs, who is the better."""
