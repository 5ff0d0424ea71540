"""The pages of models. Authorization sets `request.study`."""
