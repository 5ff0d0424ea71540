"""Fields of forms and of the API made from declared options (`foundation/options.py`)."""
