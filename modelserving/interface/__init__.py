"""What a transfer model is: the classes that every entry of modelserving/transfer extends."""
