"""Transcripts: the text of valkey-cli, written from what was really sent and answered."""
