/** Writes the log file of the desktop app, for troubleshooting. */

import { appendFileSync, renameSync, statSync } from 'node:fs';

/** The log: the server's output and the app's own notes. */
interface LogFile {
  readonly write: (text: Uint8Array | string) => void;
  readonly line: (text: string) => void;
}

/** Size after which the next start begins a new file; the previous one is kept. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Opens the log. If it cannot be written, the lines go to stderr. */
export function openLogFile(path: string): LogFile {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`);
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
