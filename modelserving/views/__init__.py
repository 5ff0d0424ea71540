"""The pages of models. The gate leaves the study at `request.study`."""
