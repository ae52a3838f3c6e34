/** The toasts (short messages in a corner of the window) that are shown now; `toast()` adds one. */

type ToastTone = 'plain' | 'ok' | 'warn' | 'error';

interface ToastOptions {
  /** A button in the toast: undo, open, try again. */
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly tone?: ToastTone;
}

export interface ToastEntry {
  readonly id: number;
  readonly words: string;
  readonly action: NonNullable<ToastOptions['action']> | null;
  readonly tone: ToastTone;
}

/** More than this would cover the page, so the oldest is removed. */
const MAX_SHOWN = 4;

let entries: readonly ToastEntry[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly ToastEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a message in a corner for a while. It replaces an earlier message with the same text.
 * @returns a function that removes it early
 */
export function toast(words: string, options: ToastOptions = {}): () => void {
  const id = nextId;
  nextId += 1;
  const entry = { id, words, action: options.action ?? null, tone: options.tone ?? 'plain' };
  change([...entries.filter((one) => one.words !== words), entry].slice(-MAX_SHOWN));
  return () => dismissToast(id);
}

export function dismissToast(id: number): void {
  change(entries.filter((one) => one.id !== id));
}

export function toastsShown(): readonly ToastEntry[] {
  return entries;
}

/**
 * Calls `listener` when the messages change.
 * @returns a function that removes the listener
 */
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
