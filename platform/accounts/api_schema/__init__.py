"""What all serializers and endpoints share, and how the API's schema names them."""
