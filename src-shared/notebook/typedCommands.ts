/** Commands of a Jupyter notebook in a line of a Python cell: `!pip install x`, `%matplotlib inline`, `%%time`. */

export interface TypedCommand {
  readonly indent: string;
  /** `!`, `%` or `%%`. */
  readonly sign: string;
  /** The command without its sign. */
  readonly text: string;
  /** What it asks to be installed; empty where it installs nothing. */
  readonly packages: readonly string[];
  /** It only asks for what Cellar does anyway, or times what Cellar times. */
  readonly isNeedless: boolean;
}

const COMMAND = /^(\s*)(!|%%?)\s*([A-Za-z_].*?)\s*$/;
const INSTALLS = /^(?:python3?\s+-m\s+)?(?:pip3?|uv(?:\s+pip)?|conda|mamba)\s+(?:install|add)\s+(.+)$/;
const NEEDLESS =
  /^(?:matplotlib\b|autoreload\b|load_ext\s+autoreload\b|config\s+InlineBackend\b|pylab\s+inline\b)/;
/** Options of an installer that take the next word with them. */
const WITH_VALUE = new Set(['-c', '--channel', '-i', '--index-url', '--extra-index-url', '-n', '--name']);

/** The command a line is; null for a line that is none. */
export function typedCommand(line: string): TypedCommand | null {
  const match = COMMAND.exec(line);
  if (match === null) return null;
  const [, indent = '', sign = '', text = ''] = match;
  const installed = INSTALLS.exec(text)?.[1];
  return {
    ...{ indent, sign, text },
    packages: installed === undefined || sign === '%%' ? [] : requirementsOf(installed),
    isNeedless: sign !== '!' && (NEEDLESS.test(text) || (sign === '%%' && text === 'time')),
  };
}

/** Requirements alone: no options, files, folders and addresses, which the environment does not take by name. */
function requirementsOf(words: string): readonly string[] {
  const found: string[] = [];
  const all = words.split(/\s+/);
  for (let at = 0; at < all.length; at += 1) {
    const word = (all[at] ?? '').replace(/^(['"])(.*)\1$/, '$2');
    if (word.startsWith('-')) {
      // What a list or a folder asks for is not known from the line.
      if (/^(-r|--requirement|-e|--editable)$/.test(word)) return [];
      if (WITH_VALUE.has(word)) at += 1;
    } else if (/^[A-Za-z0-9][\w.-]*(\[[\w.,-]+\])?([<>=!~]=?[\w.,*<>=!~]+)?$/.test(word)) found.push(word);
    else return [];
  }
  return found;
}
