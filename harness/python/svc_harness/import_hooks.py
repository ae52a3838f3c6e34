"""Patches libraries at the moment the cell imports them, so that nothing is imported early: for displays, input, fork,
pickling and widgets.

Display functions are replaced: matplotlib, Pillow, plotly and IPython would open windows or print object addresses in
a process without a screen. Functions that would wait for user input raise an error.
"""

import sys

from .displays import display
from .plot_hooks import PLOT_HOOKS
from .process_state import refuse_passwords


def _pyplot(module):
    from .figures import hook_pyplot

    hook_pyplot(module)


def _pillow(module):
    def show(self, *_args, **_options):
        """Display this image below the cell."""
        display(self)

    module.Image.show = show


def _ipython(module):
    module.display = display
    if hasattr(module, "clear_output"):
        from .widget_output import clear_output

        module.clear_output = clear_output


def _tqdm(module):
    module.display = display


def _comm(module):
    from .comms import hook_comm

    hook_comm(module)


def _widget_output(module):
    from .widget_output import hook_output

    hook_output(module)


def _widget_interaction(module):
    from .widget_output import hook_interaction

    hook_interaction(module)


def _multiprocessing(module):
    """Keep fork as the default on Linux: workers started otherwise cannot import the cell's functions."""
    if sys.platform == "linux" and sys.version_info >= (3, 14):
        fork_by_default(module)
    from .pools import watch_contexts

    watch_contexts(module)


def _reduction(module):
    from .pools import patch_pickler

    patch_pickler(module)


def _spawn(module):
    from .pools import patch_preparation

    patch_preparation(module)


def fork_by_default(context):
    """Make fork the default of `multiprocessing.get_context()`; `set_start_method` still works."""
    context._default_context._default_context = context._concrete_contexts["fork"]


def _cloudpickle(module):
    """Pickle code of cells by value: workers that do not fork (joblib's) cannot import it."""
    shared = sys.modules.get("svc_harness.shared_modules")
    if shared is not None:
        shared.send_by_value(module)


_HOOKS = {
    "getpass": refuse_passwords,
    "cloudpickle": _cloudpickle,
    "joblib.externals.cloudpickle": _cloudpickle,
    "multiprocessing.context": _multiprocessing,
    "multiprocessing.reduction": _reduction,
    "multiprocessing.spawn": _spawn,
    "matplotlib.pyplot": _pyplot,
    "PIL.Image": _pillow,
    "IPython.core.display_functions": _ipython,
    "IPython.display": _ipython,
    "comm": _comm,
    "tqdm.notebook": _tqdm,
    "ipywidgets.widgets.interaction": _widget_interaction,
    "ipywidgets.widgets.widget_output": _widget_output,
    **PLOT_HOOKS,
}


class _HookingLoader:
    """Replaces a module's loader during import, runs the hook and restores the loader."""

    def __init__(self, loader, hook):
        self._loader = loader
        self._hook = hook

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._hook(module)


class _HookingFinder:
    """First finder of the run: delegates to the others and wraps the loader of the modules above."""

    def find_spec(self, name, path=None, target=None):
        hook = _HOOKS.get(name)
        if hook is None:
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _HookingLoader(spec.loader, hook)
                return spec
        return None


def install_hooks():
    """Apply hooks to modules that are already loaded (a template's preloads), and to later imports."""
    for name, hook in _HOOKS.items():
        module = sys.modules.get(name)
        if module is not None:
            hook(module)
    sys.meta_path.insert(0, _HookingFinder())
