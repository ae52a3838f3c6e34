import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { errnoOf } from './atomicFile.ts';

/**
 * A socket in a folder that answers while the process that opened it lives. The system closes it with the process,
 * however that ends, and every container of the machine that sees the folder can ask it: their numbers of processes and
 * their host names say nothing to each other. It says nothing to other machines.
 */
export interface LifeSocket {
  close(): Promise<void>;
}

/** `unknown`: it cannot be asked from here. */
export type Life = 'lives' | 'gone' | 'unknown';

/** Null where the folder takes no sockets, and on Windows, whose pipes are not in folders. */
export async function openLifeSocket(dir: string, name: string): Promise<LifeSocket | null> {
  if (process.platform === 'win32') return null;
  const server = createServer((socket) => socket.destroy());
  const listens = await through(dir, name, (path) => listening(server, path));
  if (!listens) return null;
  server.unref();
  return {
    async close() {
      await new Promise((done) => server.close(done));
      await rm(join(dir, name), { force: true });
    },
  };
}

/** Whether the process that opened a socket still lives. */
export async function askLife(dir: string, name: string): Promise<Life> {
  if (process.platform === 'win32') return 'unknown';
  return through(dir, name, answerOf);
}

function listening(server: Server, path: string): Promise<boolean> {
  return new Promise((done) => {
    server.once('error', () => done(false));
    server.listen(path, () => done(true));
  });
}

function answerOf(path: string): Promise<Life> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      done('lives');
      socket.destroy();
    });
    socket.once('error', (error) => done(errnoOf(error) === 'ECONNREFUSED' ? 'gone' : 'unknown'));
  });
}

/** Paths of sockets are short: where the system offers it, one goes by the folder's descriptor. */
async function through<T>(dir: string, name: string, work: (path: string) => Promise<T>): Promise<T> {
  if (process.platform !== 'linux') return work(join(dir, name));
  let folder: FileHandle | null = null;
  try {
    folder = await open(dir, constants.O_RDONLY | constants.O_DIRECTORY);
    return await work(`/proc/self/fd/${folder.fd}/${name}`);
  } finally {
    await folder?.close();
  }
}
