"""The languages of the interface, and how numbers and dates are written in each, where Django's own formats differ."""
