/** Recognizes Jupyter commands such as `!pip install x` in Python cells, which Cellar does not run. */

interface TypedCommand {
  readonly indent: string;
  /** `!`, `%` or `%%`. */
  readonly sign: string;
  /** The command without its sign. */
  readonly text: string;
  /** The packages to install; empty for other commands. */
  readonly packages: readonly string[];
  /** Without effect in Cellar: it requests a default behaviour, or a time that Cellar measures anyway. */
  readonly isNeedless: boolean;
}

const COMMAND = /^(\s*)(!|%%?)\s*([A-Za-z_].*?)\s*$/;
const INSTALLS = /^(?:python3?\s+-m\s+)?(?:pip3?|uv(?:\s+pip)?|conda|mamba)\s+(?:install|add)\s+(.+)$/;
const NEEDLESS =
  /^(?:matplotlib\b|autoreload\b|load_ext\s+autoreload\b|config\s+InlineBackend\b|pylab\s+inline\b)/;
/** Options of an installer that are followed by a value. */
const WITH_VALUE = new Set(['-c', '--channel', '-i', '--index-url', '--extra-index-url', '-n', '--name']);

/** The command in a line; null for other lines. */
export function typedCommand(line: string): TypedCommand | null {
  const match = COMMAND.exec(line);
  if (match === null) return null;
  const [, indent = '', sign = '', text = ''] = match;
  const installed = INSTALLS.exec(text)?.[1];
  return {
    indent,
    sign,
    text,
    packages: installed === undefined || sign === '%%' ? [] : requirementsOf(installed),
    isNeedless: sign !== '!' && (NEEDLESS.test(text) || (sign === '%%' && text === 'time')),
  };
}

/**
 * Plain requirements only: no options, files, folders and addresses, which the environment does not accept by
 * name.
 */
function requirementsOf(words: string): readonly string[] {
  const requirements: string[] = [];
  const all = words.split(/\s+/);
  for (let at = 0; at < all.length; at += 1) {
    const word = (all[at] ?? '').replace(/^(['"])(.*)\1$/, '$2');
    if (word.startsWith('-')) {
      // The packages of a requirements file or a folder are not in the line.
      if (/^(-r|--requirement|-e|--editable)$/.test(word)) return [];
      if (WITH_VALUE.has(word)) at += 1;
    } else if (/^[A-Za-z0-9][\w.-]*(\[[\w.,-]+\])?([<>=!~]=?[\w.,*<>=!~]+)?$/.test(word))
      requirements.push(word);
    else return [];
  }
  return requirements;
}
