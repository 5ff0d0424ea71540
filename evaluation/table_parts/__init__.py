"""The parts of tables and figures: cells, columns, rows of models, subsets of units, and their JSON."""
