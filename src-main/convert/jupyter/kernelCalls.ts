/** Reads the `get_ipython()` calls of scripts that were exported from Jupyter, for the import. */

/** A call of the kernel as written by `jupyter nbconvert --to script`, with its string arguments. */
interface KernelCall {
  readonly blanks: string;
  readonly target: string | undefined;
  readonly method: string;
  readonly texts: readonly string[];
}

const CALL =
  /^(\s*)(?:([\w.,[\]]+)\s*=\s*)?get_ipython\(\)\.(system|getoutput|magic|run_line_magic|run_cell_magic)\(([\s\S]*)\)\s*;?\s*$/;

/**
 * Parses `get_ipython().METHOD('text', …)`; null for every other statement, and for arguments that are not
 * plain strings.
 */
export function readKernelCall(statement: string): KernelCall | null {
  const match = CALL.exec(statement);
  if (match === null) return null;
  const [, blanks = '', target, method = '', argumentText = ''] = match;
  const texts = textsIn(argumentText);
  return texts === null ? null : { blanks, target, method, texts };
}

const TEXT =
  /^\s*([rRuU]?)('''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*")\s*(?:,|$)/;

function textsIn(text: string): readonly string[] | null {
  const texts: string[] = [];
  for (let rest = text; rest.trim() !== ''; ) {
    const match = TEXT.exec(rest);
    if (match === null) return null;
    const [all, prefix = '', quoted = ''] = match;
    const quote = /^(?:'''|""")/.test(quoted) ? 3 : 1;
    const inner = quoted.slice(quote, -quote);
    texts.push(/r/i.test(prefix) ? inner : unescaped(inner));
    rest = rest.slice(all.length);
  }
  return texts;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (all, char: string) => {
    if (Object.hasOwn(ESCAPES, char)) return ESCAPES[char] ?? '';
    return '\\\'"'.includes(char) ? char : all;
  });
}
