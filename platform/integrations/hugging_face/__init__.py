"""The Hugging Face Hub: data sets pushed with their card, and pulled (https://huggingface.co/docs/hub/api)."""
