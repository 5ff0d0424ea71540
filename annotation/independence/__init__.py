"""Independent judgements: nobody judges their own text, nor an item that somebody of the same browser had."""
