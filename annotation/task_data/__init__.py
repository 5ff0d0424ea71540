"""What items are made from (material), and what answers make (products)."""
