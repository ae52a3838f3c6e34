/**
 * What the window remembers of a notebook's terminals: how many there were, to open as many after the app was started
 * again, and which one is shown.
 */
const KEY = 'cellar.terminals';
/** More are not opened by themselves: each is a process. */
const MOST = 8;

/** How many terminals to open for a notebook that has none yet: as many as it had in this window, at least one. */
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

/** The person opened the terminal: the next one that appears gets the focus. A drawer restored at a start does not. */
export function focusNextTerminal(): void {
  isFocusWanted = true;
}

/** Whether the terminal that just appeared gets the focus; asked once. */
export function takeTerminalFocus(): boolean {
  const wasWanted = isFocusWanted;
  isFocusWanted = false;
  return wasWanted;
}
