"""The models of a study that can rewrite texts, the directions that they serve, and the devices they run on."""
