import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../lib/atomicFile.ts';

/** Where the person's own programs find the server of the desktop app and its launch token. */
export function serverFilePath(home: string): string {
  return join(home, '.svc', 'run', 'server.json');
}

/** Where the person's own programs find the launch token of the server at a port that `svc serve --token` started. */
export function launchTokenPath(home: string, port: number): string {
  return join(home, '.svc', 'run', `token-${port}`);
}

/** Writes it for the owner's eyes only (0600, in a folder 0700). */
export async function writeServerFile(
  path: string,
  server: { readonly port: number; readonly token: string },
): Promise<void> {
  const entry = { url: `http://127.0.0.1:${server.port}`, ...server, pid: process.pid };
  await writeOwnFile(path, `${JSON.stringify(entry)}\n`);
}

/** For the owner's eyes only: 0600, in a folder 0700. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, text, { mode: 0o600 });
}

export async function removeServerFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
