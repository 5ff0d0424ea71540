"""Terms replaced by full forms and polished (DECLARE): term labels, full forms, and the sentences made of both."""
