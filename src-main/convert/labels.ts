/**
 * Tells the stored results of variables from those of consoles and displays, by their labels
 * (docs/spec/provenance-and-cache.md, 2).
 */
const CONSOLE_LABEL = '__console__';
const DISPLAY = /^__display__\d+$/;

/**
 * Whether a label is that of a variable. The label of a fan-out's run contains its variant
 * (docs/spec/analysis-and-graph.md, 3.4).
 */
export function isVariableLabel(label: string): boolean {
  const name = label.split('@variant=', 1)[0] ?? label;
  return name !== CONSOLE_LABEL && !DISPLAY.test(name);
}

/** The param of a row with the output of its run; an export includes consoles only on request. */
const PRINTED = 'printed_console';

/** A row without the console that is recorded with it. */
export function withoutConsole<T extends { readonly params: Readonly<Record<string, string>> }>(row: T): T {
  if (row.params[PRINTED] === undefined) return row;
  const { [PRINTED]: _console, ...params } = row.params;
  return { ...row, params };
}
