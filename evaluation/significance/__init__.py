"""Tests of significance: exact rank tests, paired resampling tests of systems, families of tests."""
