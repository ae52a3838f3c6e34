/** The terminals to open again when a notebook is shown, and which terminal gets the focus. */

/**
 * The number of a notebook's terminals, so that as many are opened when the app is started again, and which one is
 * shown.
 */
const KEY = 'cellar.terminals';
/** The most terminals opened automatically, because each is a process. */
const MOST = 8;

/** How many terminals to open for a notebook that has none: as many as it had in this window, at least one. */
export function rememberedTerminals(path: string): number {
  const count = countsIn(read())[path];
  return typeof count === 'number' && Number.isInteger(count) ? Math.min(MOST, Math.max(1, count)) : 1;
}

export function rememberTerminals(path: string, count: number): void {
  const counts = { ...countsIn(read()) };
  if (count <= 1) delete counts[path];
  else counts[path] = count;
  try {
    localStorage.setItem(KEY, JSON.stringify(counts));
  } catch (error) {
    console.warn('the number of terminals could not be stored in this browser', error);
  }
}

function countsIn(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch (_damaged) {
    return {};
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch (_forbidden) {
    return null;
  }
}

let isFocusWanted = false;

/**
 * Called when the user opens a terminal: the next one that appears gets the focus. A drawer that is restored at the
 * start does not call this.
 */
export function focusNextTerminal(): void {
  isFocusWanted = true;
}

/** Whether the terminal that has appeared gets the focus; true once per call of `focusNextTerminal`. */
export function takeTerminalFocus(): boolean {
  const wasWanted = isFocusWanted;
  isFocusWanted = false;
  return wasWanted;
}
