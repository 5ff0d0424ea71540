"""Formulas of agreement between raters: judgements in long form, kappas, intraclass correlations, alpha."""
