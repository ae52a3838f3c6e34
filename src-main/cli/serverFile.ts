/**
 * Writes and removes the files in `~/.svc/run` by which the user's own programs find a running server and its launch
 * token.
 */

import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../lib/atomicFile.ts';

/** The file where the user's own programs find the desktop app's server and its launch token. */
export function serverFilePath(home: string): string {
  return join(home, '.svc', 'run', 'server.json');
}

/**
 * The file where the user's own programs find the launch token of a server that `svc serve --token` started on a port.
 */
export function launchTokenPath(home: string, port: number): string {
  return join(home, '.svc', 'run', `token-${port}`);
}

/** Writes it readable only by its owner (0600, in a folder 0700). */
export async function writeServerFile(
  path: string,
  server: { readonly port: number; readonly token: string },
): Promise<void> {
  const entry = { url: `http://127.0.0.1:${server.port}`, ...server, pid: process.pid };
  await writeOwnFile(path, `${JSON.stringify(entry)}\n`);
}

/** Readable only by its owner: 0600, in a folder 0700. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, text, { mode: 0o600 });
}

/** Removes the file; a missing one is no error. */
export async function removeServerFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
