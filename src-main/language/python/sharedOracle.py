"""The harness's analysis of shared code, for sharedCode.test.ts. One JSON request per line."""

import json
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)
sys.path.insert(0, sys.argv[1])

from svc_harness.code_slice import CODE, CodeSlice  # noqa: E402


def judge(item):
    try:
        code = CodeSlice(item["source"])
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    if not any(one.kind in CODE or one.kind == "lambda" for one in code.statements):
        return None
    judged = code.judge(item["wired"], item.get("below", ()))
    return {
        "exports": {name: kind for name, kind in sorted(code.symbols.items()) if not name.startswith("_")},
        "blocked": {name: judged.reasons[name] for name in sorted(judged.reasons)},
        "injects": {name: sorted(needs) for name, needs in sorted(judged.injects.items()) if needs},
        "is_module": judged.is_module(),
    }


for line in sys.stdin:
    sys.stdout.write(json.dumps([judge(item) for item in json.loads(line)]) + "\n")
    sys.stdout.flush()
