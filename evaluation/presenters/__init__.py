"""A stored report as pages show it: tables, figures, sentences that can be quoted, places in a picture."""
