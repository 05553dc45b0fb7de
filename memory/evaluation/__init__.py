"""Measuring the product from outside, through its own services, in a tenant that is thrown away."""
