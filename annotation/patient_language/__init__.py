"""Clinical and scientific sentences in a patient's words, as MedLane and PLABA have them written."""
