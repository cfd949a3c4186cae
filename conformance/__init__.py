"""The jsonscan corpus and its harness: what an LLM-JSON extractor must do, in files any language can load.

``python -m conformance`` in a checkout, ``jsonscan-conformance`` once installed (as the package ``jsonscan_conformance``).
The harness starts adapters and talks to them as PROTOCOL.md says; it imports no implementation.
"""
