"""Entry point of the Python harness. Started as ``python -I -X utf8 harness.py <mode>``:

``once <manifest>``  run one manifest and exit with its exit code
``template``         Linux: fork a child per run (see svc_harness/template.py)
``spare``            load the imports, wait for one request, run it (see svc_harness/spare.py)
``inspect``          load a cell's values and evaluate expressions (see svc_harness/console.py)

``once``, ``spare`` and ``inspect`` take ``--control <fd>``: a socket to the server that started them. When the
server closes its end, the whole process group is killed (svc_harness/lifeline.py).

Guarded by ``__name__``: multiprocessing's spawn method imports this file again in its workers.
"""

import os
import sys


def _main(argv):
    # Isolated mode keeps this folder off sys.path. Add it for the one import that needs it and remove it again, so that
    # cells only ever see the notebook folder there.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    import svc_harness  # noqa: F401

    sys.path.remove(here)
    from svc_harness.observed_packages import watch_packages

    watch_packages()
    mode = argv[1] if len(argv) > 1 else ""
    control = int(argv[argv.index("--control") + 1]) if "--control" in argv else None
    if mode == "template":
        from svc_harness.template import main

        return main()
    if mode == "spare" and control is not None:
        from svc_harness.spare import main

        return main(control)
    if mode == "inspect" and control is not None:
        from svc_harness.console import main

        return main(control)
    if mode == "once" and len(argv) > 2:
        if control is not None:
            from svc_harness.lifeline import guard_group

            guard_group(control)
        from svc_harness.running import run_and_exit

        if control is not None:
            os.write(control, b"started\n")
            os.close(control)

        return run_and_exit(argv[2])
    sys.stderr.write("usage: harness.py once <manifest> [--control fd] | template | (spare | inspect) --control fd\n")
    return 64


if __name__ == "__main__":
    sys.exit(_main(sys.argv))
