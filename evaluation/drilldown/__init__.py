"""The outputs, with their scores and judgements, behind one number of a report."""
