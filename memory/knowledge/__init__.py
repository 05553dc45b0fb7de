"""Documents that people or pipelines wrote: read, cut into passages, searched with citations.

Knowledge belongs to a tenant and is never mixed with memory: no agent's turn writes it, no person's
erasure reaches it, and it does not decay.
"""
