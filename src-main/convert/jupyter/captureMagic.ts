/** Translates Jupyter's `%%capture` to Python, for the import of Jupyter notebooks. */

import type { Note } from './findings.ts';

/** The options of `%%capture`. */
interface Capture {
  readonly name: string | null;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** Parses the arguments of `%%capture`. */
export function readCapture(argument: string): Capture {
  const words = argument.split(/\s+/).filter((word) => word !== '');
  const name = words.find((word) => /^[A-Za-z]\w*$/.test(word)) ?? null;
  return { name, stdout: !words.includes('--no-stdout'), stderr: !words.includes('--no-stderr') };
}

const HEAD = /^\s*%%[ \t]*capture\b([^\n]*)/;

/** Names that `%%capture` fills and that are used somewhere in the notebook. */
export function usedCaptures(sources: readonly string[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const source of sources) {
    const name = readCapture(HEAD.exec(source)?.[1] ?? '').name;
    if (name === null || !HEAD.test(source)) continue;
    const use = new RegExp(`(?<![\\w.])${name}\\b`);
    if (sources.some((one) => use.test(one.replace(HEAD, '')))) used.add(name);
  }
  return used;
}

/** A body whose printed text is captured in a name: displays are shown all the same. */
export function captureOutputs(
  body: string,
  { name, stdout, stderr }: Capture & { readonly name: string },
): string {
  const streams = [...(stdout ? ['stdout'] : []), ...(stderr ? ['stderr'] : [])];
  return [
    '# svc: %%capture',
    'import contextlib as _contextlib, io as _io, types as _types',
    '_stdout, _stderr, _captured = _io.StringIO(), _io.StringIO(), _contextlib.ExitStack()',
    ...streams.map((stream) => `_captured.enter_context(_contextlib.redirect_${stream}(_${stream}))`),
    ...(body === '' ? [] : [body]),
    '_captured.close()',
    `${name} = _types.SimpleNamespace(stdout=_stdout.getvalue(), stderr=_stderr.getvalue(), outputs=[])`,
  ].join('\n');
}

/** `out.show()` and `out()` in Python; null for every other statement. */
export function translatedUse(
  statement: string,
  { names, note }: { readonly names: ReadonlySet<string>; readonly note: Note },
): string | null {
  const match = /^(\s*)([A-Za-z]\w*)(?:\.show)?\(\s*\)\s*;?\s*(?:#.*)?$/.exec(statement);
  const [, blanks = '', name = ''] = match ?? [];
  if (match === null || !names.has(name)) return null;
  note('translated_magics', `${statement.trim()}: prints what was captured`);
  return `${blanks}print(${name}.stdout, end="")`;
}
