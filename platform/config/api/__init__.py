"""What all endpoints of the API share, and the page that describes them."""
