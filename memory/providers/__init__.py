"""Models and services from outside, each behind a protocol of ours."""
