"""Tests of `mcrave.cluster`."""
