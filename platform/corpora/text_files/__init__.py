"""Files of text: decoded line by line, told from other files, written into archives. No Django."""
