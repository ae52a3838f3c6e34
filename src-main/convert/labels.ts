/** The labels of results that are not variables (provenance-and-cache 2). */
const CONSOLE_LABEL = '__console__';
const DISPLAY = /^__display__\d+$/;

/** The label of a fan-out's run contains its variant (analysis-and-graph 3.4). */
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
