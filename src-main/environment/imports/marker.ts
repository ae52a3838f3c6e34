/** Evaluates the conditions (markers) of requirements in imported package lists. */

/** The values that conditions of requirements (PEP 508 markers) are evaluated with. */
export type MarkerFacts = Readonly<Record<string, string>>;

/** The values for this machine and a Python `3.12`. */
export function markerFacts(
  minor: string,
  host: { readonly platform: NodeJS.Platform; readonly arch: string } = process,
): MarkerFacts {
  const { platform, arch } = host;
  const windows = platform === 'win32';
  const machine = arch === 'x64' ? 'x86_64' : arch === 'arm64' && platform === 'linux' ? 'aarch64' : arch;
  return {
    python_version: minor,
    // The resolver chooses the patch version; conditions nearly always compare minor versions.
    python_full_version: `${minor}.0`,
    implementation_version: `${minor}.0`,
    os_name: windows ? 'nt' : 'posix',
    sys_platform: platform,
    platform_system: windows ? 'Windows' : platform === 'darwin' ? 'Darwin' : 'Linux',
    platform_machine: windows && machine === 'x86_64' ? 'AMD64' : machine,
    platform_python_implementation: 'CPython',
    implementation_name: 'cpython',
    extra: '',
  };
}

const TOKEN = /\s*(\(|\)|and\b|or\b|not\s+in\b|in\b|===|==|~=|!=|<=|>=|<|>|'[^']*'|"[^"]*"|[a-z_.]+)/y;

/** A limit against deep nesting; no marker written by hand is longer. */
const MAX_MARKER = 1_000;

/** Whether a marker is true; null when it is invalid. */
export function markerHolds(text: string, facts: MarkerFacts): boolean | null {
  const tokens = text.length > MAX_MARKER ? null : tokensOf(text);
  if (tokens === null) return null;
  let at = 0;
  const next = (): string | undefined => tokens[at];
  const consume = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  const parseChain = (word: 'and' | 'or', part: () => boolean | null): boolean | null => {
    let value = part();
    while (value !== null && consume(word)) {
      const other = part();
      value = other === null ? null : word === 'and' ? value && other : value || other;
    }
    return value;
  };
  const atom = (): boolean | null => {
    if (consume('(')) {
      const inner = either();
      return consume(')') ? inner : null;
    }
    const left = operandOf(next(), facts);
    const operator = tokens[at + 1];
    const right = operandOf(tokens[at + 2], facts);
    at += 3;
    if (left === null || right === null || operator === undefined) return null;
    return compare(left, operator.replace(/\s+/, ' '), right);
  };
  const either = (): boolean | null => parseChain('or', () => parseChain('and', atom));
  const value = either();
  return at === tokens.length ? value : null;
}

function tokensOf(text: string): readonly string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const whole = text.trim();
  while (TOKEN.lastIndex < whole.length) {
    const match = TOKEN.exec(whole);
    if (match?.[1] === undefined) return null;
    tokens.push(match[1]);
  }
  return tokens.length === 0 ? null : tokens;
}

function operandOf(token: string | undefined, facts: MarkerFacts): string | null {
  if (token === undefined) return null;
  if (/^['"]/.test(token)) return token.slice(1, -1);
  return Object.hasOwn(facts, token) ? (facts[token] ?? '') : null;
}

/** Compares versions by their numbers, everything else as text (PEP 508). */
function compare(left: string, operator: string, right: string): boolean | null {
  if (operator === 'in') return right.includes(left);
  if (operator === 'not in') return !right.includes(left);
  const isVersion = /^\d+(\.\d+)*(\.\*)?$/;
  if (!isVersion.test(left) || !isVersion.test(right)) {
    if (operator === '==' || operator === '===') return left === right;
    return operator === '!=' ? left !== right : null;
  }
  if (right.endsWith('.*')) {
    const isUnder = `${left}.`.startsWith(right.slice(0, -1));
    return operator === '==' ? isUnder : operator === '!=' ? !isUnder : null;
  }
  const order = orderOf(left, right);
  switch (operator) {
    case '==':
    case '===':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '~=':
      return order >= 0 && `${left}.`.startsWith(`${right.split('.').slice(0, -1).join('.')}.`);
    default:
      return null;
  }
}

function orderOf(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number)) as [number[], number[]]; // two in, two out
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
