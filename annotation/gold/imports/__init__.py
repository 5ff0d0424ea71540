"""Files of gold that was made elsewhere: archives, formats, and what an import says of itself."""
