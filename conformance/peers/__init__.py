"""Other libraries, as adapters, and the field cases that all are scored on."""
