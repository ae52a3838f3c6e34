/** A place in a cell that an error names. */
export interface CellPlace {
  readonly cell: string;
  readonly line: number;
}

export type TracebackPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'place'; readonly text: string; readonly place: CellPlace };

const PLACE =
  /File "<cell (?<py>[^>"]+)>", line (?<pyLine>\d+)|\bcell (?<own>[\w.-]+), line (?<ownLine>\d+)|\bline (?<rLine>\d+) of <cell (?<r>[^>"]+)>/g;

/** The text of a failure with the places it names: `File "<cell load>", line 3`, R's `line 3 of <cell load>`, ours. */
export function tracebackParts(text: string): TracebackPart[] {
  const parts: TracebackPart[] = [];
  let at = 0;
  for (const match of text.matchAll(PLACE)) {
    const { py, own, r, pyLine, ownLine, rLine } = match.groups ?? {};
    const cell = py ?? own ?? r ?? '';
    const line = Number(pyLine ?? ownLine ?? rLine);
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) });
    parts.push({ kind: 'place', text: match[0], place: { cell, line } });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** What went wrong in one line, and the traceback, if there is more than that line. */
export function splitError(error: string): { summary: string; traceback: string | null } {
  const lines = error.replace(/\s+$/, '').split('\n');
  if (lines.length === 1) return { summary: error.trim(), traceback: null };
  const looksPython = lines.some((line) => line.startsWith('Traceback') || line.startsWith('  File '));
  const last = lines.filter((line) => line !== '' && !line.startsWith(' ')).at(-1) ?? lines[0] ?? '';
  return { summary: looksPython ? last : (lines[0] ?? ''), traceback: lines.join('\n') };
}
