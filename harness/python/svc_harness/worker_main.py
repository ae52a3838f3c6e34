"""Main module of a worker process that does not fork, in place of a program's main file (see pools.py)."""

import os
import sys

_root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, _root)
try:
    from svc_harness.pools import install_in_worker
finally:
    sys.path.remove(_root)
install_in_worker()
