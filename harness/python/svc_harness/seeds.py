"""Detects that a process-wide random generator was seeded; drawing numbers is not detected."""

import functools
import sys

# (module, function that seeds, function that restores a saved state)
_GENERATORS = (
    ("random", "seed", "setstate"),
    ("numpy.random", "seed", "set_state"),
    ("torch", "manual_seed", "set_rng_state"),
    ("torch.random", "manual_seed", "set_rng_state"),
    ("tensorflow.random", "set_seed", None),
)


class SeedWatch:
    """`calls`: the functions that were called with a seed, as written in a cell: `random.seed()`."""

    def __init__(self):
        self.calls = []
        self._wrapped = {}

    def wrap_loaded(self):
        """Wrap the seed functions of all loaded libraries, each once."""
        for name, seed, restore in _GENERATORS:
            module = sys.modules.get(name)
            if module is None or name in self._wrapped or not hasattr(module, seed):
                continue
            self._wrapped[name] = [(module, seed, getattr(module, seed))]
            call = "%s.%s()" % (name, seed)
            setattr(module, seed, self._watched(getattr(module, seed), name, seed, lambda args, kw, call=call: self._note(call, args, kw)))
            if restore is not None and hasattr(module, restore):
                original = getattr(module, restore)
                self._wrapped[name].append((module, restore, original))
                setattr(module, restore, self._watched(original, name, restore, lambda args, kw, call=call: self._forget(call)))

    def unwrap(self):
        for wrapped in self._wrapped.values():
            for module, name, original in wrapped:
                setattr(module, name, original)

    def _watched(self, original, module, name, note):
        def watched(*args, **kwargs):
            result = original(*args, **kwargs)
            note(args, kwargs)
            return result

        functools.update_wrapper(watched, original)
        # Pickle finds the original in another process by these attributes.
        watched.__module__, watched.__qualname__ = module, name
        return watched

    def _note(self, call, args, kwargs):
        values = [*args, *kwargs.values()]
        self._forget(call)
        if values and values[0] is not None:
            self.calls.append(call)

    def _forget(self, call):
        if call in self.calls:
            self.calls.remove(call)
