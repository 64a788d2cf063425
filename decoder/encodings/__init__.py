"""Encodings: pure arithmetic between facts and a score. One encoding a module, no I/O at all."""
