"""How fast it is: the same work measured beside a floor, in one run, so that the ratio holds."""
