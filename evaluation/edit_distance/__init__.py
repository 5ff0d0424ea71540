"""Edit distance between texts: TER's shift search, alignment and beam, Tercom's words, masked concepts."""
