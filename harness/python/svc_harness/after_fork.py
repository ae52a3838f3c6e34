"""Functions for the process that forks: those a template calls, and those each forked child calls first."""

from .process_state import forget_folders, prepare_after_fork, reseed, settle_template, warm_up

__all__ = ["forget_folders", "prepare_after_fork", "reseed", "settle_template", "warm_up"]
