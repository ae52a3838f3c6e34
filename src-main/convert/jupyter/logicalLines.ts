/** Splits the Python text of Jupyter cells into statements, for their translation. */

/** A statement of Python with all its lines, or lines between statements. */
export interface LogicalLine {
  readonly text: string;
  /** Number of white-space characters before the statement; a tab counts as one. */
  readonly indent: number;
  /** Blank, or only a comment. */
  readonly isBlank: boolean;
  /** Its code without comments, with empty strings: for analysis only, never written. */
  readonly bare: string;
}

type Open = { readonly quote: string } | null;

/**
 * Matches `!cmd`, `%magic` and `name?`, which are separate lines, whatever quotes they contain; a backslash at the end
 * continues them. No Python statement begins with `!`, `%` or `?`, or has one of the first two right after its `=`.
 */
const FOREIGN =
  /^\s*(?:[\w.,\s[\]'"()*]+=\s*)?[!%]{1,2}(?!=)\s*\S|^\s*\?{1,2}\s*[%\w.*]+\s*;?\s*$|^\s*[%\w.*[\]]+\s*\?{1,2}\s*;?\s*$/;

/**
 * Splits Python text into statements: a line break inside strings and brackets, or after a backslash, does
 * not end one. Text that is not Python is split somewhere, without losing any of it.
 */
export function logicalLines(text: string): readonly LogicalLine[] {
  const lines = text.split('\n');
  const statements: LogicalLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const begin = at;
    let depth = 0;
    let open: Open = null;
    let bare = '';
    const isForeign = FOREIGN.test(lines[at] ?? '');
    for (;;) {
      const line = lines[at] ?? '';
      at += 1;
      let goesOn = isForeign && line.endsWith('\\');
      if (!isForeign) {
        const scanned: Scanned = scan(line, { depth, open });
        ({ depth, open } = scanned);
        bare += scanned.bare;
        goesOn = scanned.goesOn || depth > 0 || open !== null;
      }
      if (!goesOn || at >= lines.length) break;
    }
    const whole = lines.slice(begin, at).join('\n');
    statements.push({
      text: whole,
      indent: /^\s*/.exec(lines[begin] ?? '')?.[0].length ?? 0,
      isBlank: !isForeign && bare.trim() === '',
      bare: isForeign ? '' : bare,
    });
  }
  return statements;
}

interface Scanned {
  readonly depth: number;
  readonly open: Open;
  readonly bare: string;
  readonly goesOn: boolean;
}

function scan(line: string, from: { readonly depth: number; readonly open: Open }): Scanned {
  let { depth, open } = from;
  let bare = '';
  for (let at = 0; at < line.length; ) {
    if (open !== null) {
      if (line[at] === '\\') at += 2;
      else if (line.startsWith(open.quote, at)) {
        at += open.quote.length;
        open = null;
        bare += '""';
      } else at += 1;
      continue;
    }
    const char = line[at] ?? '';
    if (char === '#') break;
    if (char === '"' || char === "'") {
      const quote = line.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
      open = { quote };
      at += quote.length;
      continue;
    }
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
    if (char === '\\' && at === line.length - 1) return { depth, open, bare: `${bare} `, goesOn: true };
    bare += char;
    at += 1;
  }
  // A single-line string ends with its line, closed or not, unless the line ends with a backslash.
  if (open !== null && open.quote.length === 1 && !line.endsWith('\\')) open = null;
  return { depth, open, bare: `${bare}\n`, goesOn: false };
}
