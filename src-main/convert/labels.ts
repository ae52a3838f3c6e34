/** How results are called that no variable is (provenance-and-cache 2). */
export const CONSOLE_LABEL = '__console__';
const DISPLAY = /^__display__\d+$/;

/** The label of a fan-out's run says which variant it is of (analysis-and-graph 3.4). */
export function isVariableLabel(label: string): boolean {
  const name = label.split('@variant=', 1)[0] ?? label;
  return name !== CONSOLE_LABEL && !DISPLAY.test(name);
}

/** What a run printed, among the parameters of a row; an export has consoles where they are asked for. */
const PRINTED = 'printed_console';

/** A row without the console that is recorded with it. */
export function withoutConsole<T extends { readonly params: Readonly<Record<string, string>> }>(row: T): T {
  if (row.params[PRINTED] === undefined) return row;
  const { [PRINTED]: _console, ...params } = row.params;
  return { ...row, params };
}
