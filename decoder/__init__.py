"""Score Decoder: what one sorted-set score can mean, shown on a real Valkey."""

__version__ = "0.1.0"
