"""The conventions of all endpoints of the API, and the page that describes them."""
