/** Toast messages. */

type ToastTone = 'plain' | 'ok' | 'warn' | 'error';

interface ToastOptions {
  /** One thing to do about it: undo, open, try again. */
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly tone?: ToastTone;
}

export interface ToastEntry {
  readonly id: number;
  readonly words: string;
  readonly action: NonNullable<ToastOptions['action']> | null;
  readonly tone: ToastTone;
}

/** More would cover the page: the oldest goes. */
const MAX_SHOWN = 4;

let entries: readonly ToastEntry[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly ToastEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

/**
 * Says something in a corner for a while. The same words again replace the earlier ones.
 * @returns what takes it away early.
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

/** Calls `listener` when the messages change; the answer stops it. */
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
