/** A socket next to a lock file, by which processes in other containers see that the lock's holder still lives. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { errnoOf } from './atomicFile.ts';

/**
 * A socket in a folder that answers while the process that opened it lives. The system closes it with the
 * process, however that ends. All containers of a machine that see the folder can connect to it, although
 * their process numbers and host names are not comparable. Other machines cannot.
 */
interface LifeSocket {
  close(): Promise<void>;
}

/** `unknown`: it cannot be reached from here. */
export type Liveness = 'lives' | 'gone' | 'unknown';

/** Opens the socket; null if the folder does not support sockets, and on Windows, whose pipes are not in folders. */
export async function openLifeSocket(dir: string, name: string): Promise<LifeSocket | null> {
  if (process.platform === 'win32') return null;
  const folder = await openFolder(dir);
  const server = createServer((socket) => socket.destroy());
  if (!(await listening(server, shortPath(dir, { name, folder })))) {
    await folder?.close();
    return null;
  }
  server.unref();
  return {
    async close() {
      // close() removes the file by the path it was opened with.
      await new Promise((done) => server.close(done));
      await folder?.close();
    },
  };
}

/** Whether the process that opened a socket still lives. */
export async function checkLiveness(dir: string, name: string): Promise<Liveness> {
  if (process.platform === 'win32') return 'unknown';
  const folder = await openFolder(dir);
  try {
    return await answerOf(shortPath(dir, { name, folder }));
  } finally {
    await folder?.close();
  }
}

function listening(server: Server, path: string): Promise<boolean> {
  return new Promise((done) => {
    server.once('error', () => done(false));
    server.listen(path, () => done(true));
  });
}

function answerOf(path: string): Promise<Liveness> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      done('lives');
      socket.destroy();
    });
    socket.once('error', (error) => done(errnoOf(error) === 'ECONNREFUSED' ? 'gone' : 'unknown'));
  });
}

/**
 * Opens the folder's descriptor, through which a socket's path is short enough: socket paths have a short maximum
 * length.
 */
async function openFolder(dir: string): Promise<FileHandle | null> {
  return process.platform === 'linux' ? open(dir, constants.O_RDONLY | constants.O_DIRECTORY) : null;
}

function shortPath(
  dir: string,
  { name, folder }: { readonly name: string; readonly folder: FileHandle | null },
): string {
  return folder === null ? join(dir, name) : `/proc/self/fd/${folder.fd}/${name}`;
}
