"""Names of installed packages that a run used: rows of source and small packages, in a process with all preloaded."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import support

# Installed files, by path below site-packages.
INSTALLED = {
    "alpha.py": "try:\n    import faster\nexcept ImportError:\n    faster = None\nV = 1\n",
    "beta/__init__.py": "from .core import V\n",
    "beta/core.py": "import alpha\nV = 2\n",
    "beta/data.txt": "text",
    "gamma.py": "V = 3\n\ndef lazy():\n    import alpha\n    return alpha.V\n\ndef excel():\n    import importlib\n    return importlib.import_module('gamma_excel').V\n",
    "gamma_excel.py": "V = 4\n",
    "delta.py": "from importlib.metadata import version\nV = version('delta-tools')\n",
    "delta_tools-1.2.dist-info/METADATA": "Metadata-Version: 2.1\nName: delta-tools\nVersion: 1.2\n",
    "plugins.py": "from importlib.metadata import entry_points\nV = len(list(entry_points(group='plugins.test')))\n",
    "checks.py": "import importlib.util\nV = importlib.util.find_spec('turbo') is not None\n",
}
PRELOADED = ["alpha", "beta", "gamma", "gamma_excel", "delta", "plugins", "checks", "absent_altogether"]

# (source, names; None for everything)
ROWS = [
    ("x = 1", []),
    ("import json, csv", []),
    ("import alpha", ["alpha", "faster"]),
    ("import beta", ["alpha", "beta", "faster"]),
    ("from beta.core import V", ["alpha", "beta", "faster"]),
    ("import importlib\nx = importlib.import_module('alpha')", ["alpha", "faster"]),
    ("x = __import__('al' + 'pha')", ["alpha", "faster"]),
    ("import gamma", ["gamma"]),
    ("import gamma\ngamma.lazy()", ["alpha", "faster", "gamma"]),
    ("import gamma\ngamma.excel()", ["gamma", "gamma_excel"]),
    ("import delta", ["delta", "dist:delta-tools"]),
    ("import plugins", None),
    ("import checks", ["checks", "turbo"]),
    ("try:\n    import nothing_here\nexcept ImportError: pass", ["nothing_here"]),
    ("import importlib.util as u\nx = u.find_spec('alpha')", ["alpha", "faster"]),
    ("import importlib.util as u\nx = u.find_spec('nothing_here')", ["nothing_here"]),
    ("from importlib.metadata import version\nx = version('delta-tools')", None),
    ("from importlib.metadata import version\ntry: version('nothing')\nexcept Exception: pass", None),
    ("from importlib.metadata import entry_points\nx = entry_points()", None),
    ("import pkgutil\nx = list(pkgutil.iter_modules())", None),
    ("import os, beta\nx = open(os.path.dirname(beta.__file__) + '/data.txt').read()", ["alpha", "beta", "faster"]),
    ("import os, gamma\nx = os.listdir(os.path.dirname(gamma.__file__))", None),
    ("import os, gamma\nx = os.path.exists(os.path.dirname(gamma.__file__) + '/other/x')", ["gamma", "other"]),
    ("import sys\nx = 'alpha' in sys.modules", None),
    ("import sys\nsys.meta_path.clear()", None),
    ("import subprocess, sys\nx = subprocess.run([sys.executable, '-c', '']).returncode", None),
]

_RUNNER = """
import json, os, sys
HARNESS, site, sources, preloaded = sys.argv[1:5]
sys.path.insert(0, HARNESS)
sys.path[:] = [entry for entry in sys.path if "site-packages" not in entry] + [site]
from svc_harness.observed_packages import watch_packages
watch_packages()
from svc_harness.preload import preload
from svc_harness.observation import Observation
preload(json.loads(preloaded))
sys.path_importer_cache.clear()
for source in json.loads(sources):
    read, write = os.pipe()
    if os.fork() == 0:
        observation = Observation(os.getcwd(), [])
        observation.start()
        namespace = {"__name__": "__main__"}
        exec(compile(source, "<cell x>", "exec"), namespace)
        os.write(write, json.dumps(observation.stop(namespace)["packages"]).encode())
        os._exit(0)
    os.close(write)
    print(os.read(read, 65536).decode())
    os.wait()
"""


@unittest.skipUnless(hasattr(os, "fork"), "needs fork")
class ObservedPackages(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="svc-harness-")
        self.addCleanup(shutil.rmtree, self.root)
        self.site = os.path.join(self.root, "site-packages")
        for path, text in INSTALLED.items():
            target = os.path.join(self.site, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
        self.cwd = os.path.join(self.root, "notebook")
        os.mkdir(self.cwd)

    def seen(self, sources, preloaded):
        done = subprocess.run(
            [sys.executable, "-I", "-c", _RUNNER, support.HARNESS, self.site, json.dumps(sources), json.dumps(preloaded)],
            capture_output=True,
            cwd=self.cwd,
            timeout=120,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    # [SO-300]
    def test_rows(self):
        for preloaded in (PRELOADED, []):
            seen = self.seen([source for source, _ in ROWS], preloaded)
            self.assertEqual(len(seen), len(ROWS))
            for (source, names), packages in zip(ROWS, seen):
                with self.subTest(source, preloaded=bool(preloaded)):
                    wanted = {"names": names or [], "whole": names is None}
                    if "faster" in wanted["names"] and not preloaded:
                        # Nothing else loaded it before: only code that really ran counts.
                        self.assertLessEqual(set(packages["names"]), set(wanted["names"]))
                    else:
                        self.assertEqual(packages, wanted)


if __name__ == "__main__":
    unittest.main()
