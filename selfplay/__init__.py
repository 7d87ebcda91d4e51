"""A self-play, zero-data curriculum engine for language models."""

__version__ = "0.1.0"
