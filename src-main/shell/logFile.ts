import { appendFileSync, renameSync, statSync } from 'node:fs';

/** What the server prints and what the shell notes, for the person who looks for a cause. */
export interface LogFile {
  readonly write: (text: Uint8Array | string) => void;
  readonly line: (text: string) => void;
}

/** Bytes after which the next start begins a new file; the one before is kept. */
const FULL = 5 * 1024 * 1024;

/** Opens the log. Nothing depends on it: where it cannot be written, stderr gets the words. */
export function openLogFile(path: string): LogFile {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > FULL) renameSync(path, `${path}.1`);
  const write = (text: Uint8Array | string): void => {
    try {
      appendFileSync(path, text, { mode: 0o600 });
    } catch (error) {
      process.stderr.write(`cellar: ${String(error)}\n`);
      process.stderr.write(text);
    }
  };
  return { write, line: (text) => write(`${new Date().toISOString()} ${text}\n`) };
}
