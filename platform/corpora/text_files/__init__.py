"""Files of text: decoded line by line, told from what is no text, written into archives. No Django."""
