"""Runs one notebook cell in the user's own interpreter. See harness/CONTRACT.md.

Standard library only; the user's libraries are imported when a value needs them and never before.
"""
