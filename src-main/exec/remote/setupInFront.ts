import type { SetupCode } from '../interpreter.ts';

/**
 * A cell's source with its set-up cell in front, for a worker that does not support set-up cells (docs/extensions.md).
 * The set-up cell becomes one statement, at a place where line numbers do not change and a docstring and
 * `from __future__` still come first. It only gets its own line when the source begins with the head of a block.
 */
export function withSetupInFront(source: string, setup: SetupCode): string {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const statement = setupStatement(setup);
  const headEnd = endOfHead(text);
  if (headEnd !== null) return `${text.slice(0, headEnd)}; ${statement}${text.slice(headEnd)}`;
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !IS_EMPTY.test(line));
  const free = first < 0 ? lines.length : first;
  if (free > 0) {
    const blank = lines.slice(0, free).findLastIndex((line) => line.trim() === '');
    const at = blank < 0 ? free - 1 : blank;
    return lines.with(at, `${statement}  ${(lines[at] ?? '').trim()}`.trimEnd()).join('\n');
  }
  return `${statement}${OPENS_BLOCK.test(lines[0] ?? '') ? '\n' : '; '}${text}`;
}

const IS_EMPTY = /^\s*(#.*)?$/;
/** Matches lines before which no statement can be put: a block, a decorator, a magic, an indented line. */
const OPENS_BLOCK = /^(\s|[@%!?]|(if|for|while|with|try|def|class|async)\b|match\b.*:\s*(#.*)?$)/;
const SPACE = /(?:[ \t]*(?:#[^\n]*)?\n|[ \t]*;[ \t]*)*/y;
const STRING =
  /[rRuU]?(?:"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')/y;
const FUTURE = /from[ \t]+__future__[ \t]+import[ \t]*(?:\([^)]*\)|[\w, \t]*\w)/y;
/** Matches the end of a statement. */
const ENDS = /[ \t]*(?:$|[;#\n])/y;

/** Where the docstring and the future imports of a program end; null when it has neither. */
function endOfHead(text: string): number | null {
  const after = (pattern: RegExp, at: number): number | null => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : null;
  };
  const statement = (pattern: RegExp, at: number): number | null => {
    const end = after(pattern, at);
    return end !== null && after(ENDS, end) !== null ? end : null;
  };
  const start = after(SPACE, 0) ?? 0;
  let end = statement(STRING, start);
  for (;;) {
    const next = statement(FUTURE, end === null ? start : (after(SPACE, end) ?? end));
    if (next === null) return end;
    end = next;
  }
}

/** One line of Python that runs the set-up cell without output in its own namespace. */
function setupStatement({ source, cellName }: SetupCode): string {
  const text = source.replace(/^\uFEFF/, '');
  const values = [JSON.stringify(text), JSON.stringify(`<set-up cell ${cellName}>`)].join(', ');
  return `exec(${JSON.stringify(RUNNER)}, {"given": (${values})})`;
}

/** A stream that the set-up cell passes on (to a log handler) writes nothing until the cell itself runs. */
const RUNNER = `
import sys
class Stream:
    def __init__(self, real):
        self.real, self.on = real, False
    def write(self, text):
        return self.real.write(text) if self.on else len(text)
    def __getattr__(self, name):
        return getattr(self.real, name)
def fail(error):
    text = type(error).__name__ + (": %s" % error if str(error) else "")
    raise RuntimeError("The setup cell failed: " + text) from error
streams = sys.stdout, sys.stderr
silent = Stream(streams[0]), Stream(streams[1])
sys.stdout, sys.stderr = silent
nothing = lambda *values, **options: None
try:
    exec(compile(given[0], given[1], "exec", 0, True), {"__name__": "__main__", "display": nothing, "Markdown": str})
except (Exception, SystemExit) as error:
    fail(error)
finally:
    sys.stdout = streams[0] if sys.stdout is silent[0] else sys.stdout
    sys.stderr = streams[1] if sys.stderr is silent[1] else sys.stderr
    silent[0].on = silent[1].on = True
if "matplotlib.pyplot" in sys.modules:
    sys.modules["matplotlib.pyplot"].close("all")
`;
