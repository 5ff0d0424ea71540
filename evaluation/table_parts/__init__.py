"""What tables and figures are put together from: cells, columns, rows of models, subsets of units, and their JSON."""
