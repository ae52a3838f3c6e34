"""Runs one notebook cell in the user's own interpreter. See harness/CONTRACT.md.

Uses only the standard library. The user's libraries are imported only when a value needs them.
"""
