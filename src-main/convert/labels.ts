/** How results are called that no variable is (semantics 4.2). */
export const CONSOLE_LABEL = '__console__';
const DISPLAY = /^__display__\d+$/;

/** The label of a fan-out's run says which variant it is of (semantics 3.4). */
export function isVariableLabel(label: string): boolean {
  const name = label.split('@variant=', 1)[0] ?? label;
  return name !== CONSOLE_LABEL && !DISPLAY.test(name);
}
