"""Tables set in LaTeX for a paper of two columns: words escaped, widths reckoned, what is too large in parts."""
