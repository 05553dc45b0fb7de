"""An example to measure with: a thousand sessions of people who talk to an assistant, with what should come of each."""
