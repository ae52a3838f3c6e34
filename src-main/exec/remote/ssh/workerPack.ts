/** Packs the worker program and its harness for the upload to another machine over SSH. */

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { errnoOf } from '../../../lib/atomicFile.ts';
import { SshFailure } from './sshTrouble.ts';

/** The files of the worker that comes with this program. */
export interface WorkerFiles {
  /** The path of `svc-worker.cjs` (made by npm run build). */
  readonly program: string;
  readonly harnessDir: string;
}

/** A worker as it is uploaded: its files as JSON `{path: base64}`, compressed. */
export interface WorkerPack {
  /** The hash of the compressed bytes; also the name of its folder on the other machine. */
  readonly hash: string;
  readonly bytes: Buffer;
}

/**
 * Packs the worker and its harness; the same files have the same hash.
 * @throws SshFailure when this copy of the program has no worker
 */
export async function packWorker({ program, harnessDir }: WorkerFiles): Promise<WorkerPack> {
  const files: Record<string, string> = {};
  try {
    files['svc-worker.cjs'] = (await readFile(program)).toString('base64');
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new SshFailure(
      'not_installed',
      'This copy of Cellar does not include the worker package. Run "npm run build" once.',
    );
  }
  for (const path of await filesBelow(harnessDir)) {
    const name = `harness/${relative(harnessDir, path).split(sep).join('/')}`;
    files[name] = (await readFile(path)).toString('base64');
  }
  const bytes = await promisify(gzip)(JSON.stringify(files));
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes };
}

const NOT_SENT = /^(__pycache__|tests|fixtures)$|\.pyc$/;

async function filesBelow(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const paths = await Promise.all(
    entries
      .filter(({ name }) => !NOT_SENT.test(name))
      .map((entry) => {
        const path = join(dir, entry.name);
        return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
      }),
  );
  return paths.flat().sort();
}

/**
 * The program that the other machine's Node runs to unpack a worker: it reads the pack, compares the hash, writes to a
 * temporary folder, flushes and renames it. It prints `{ok}` or `{ok:false, code, message}` on one line.
 */
export const INSTALLER = `
const fs = require('node:fs'), path = require('node:path'), zlib = require('node:zlib');
const hash = process.argv[3];
const root = path.join(require('node:os').homedir(), '.svc', 'worker');
const into = path.join(root, hash);
const temp = path.join(root, '.incoming-' + process.pid + '-' + Date.now());
const say = (answer) => fs.writeSync(1, JSON.stringify(answer) + '\\n');
try {
  const bytes = fs.readFileSync(0);
  const got = require('node:crypto').createHash('sha256').update(bytes).digest('hex');
  if (got !== hash) throw Object.assign(new Error('what arrived is not what was sent'), { code: 'HASH' });
  fs.mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const old of fs.readdirSync(root)) {
    const stale = old.startsWith('.incoming-') && Date.now() - fs.statSync(path.join(root, old)).mtimeMs > 3600000;
    if (stale) fs.rmSync(path.join(root, old), { recursive: true, force: true });
  }
  for (const [name, text] of Object.entries(JSON.parse(zlib.gunzipSync(bytes)))) {
    const file = path.join(temp, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const handle = fs.openSync(file, 'wx', 0o600);
    fs.writeFileSync(handle, Buffer.from(text, 'base64'));
    fs.fsyncSync(handle);
    fs.closeSync(handle);
  }
  try { fs.renameSync(temp, into); }
  catch (error) { if (!fs.existsSync(path.join(into, 'svc-worker.cjs'))) throw error; fs.rmSync(temp, { recursive: true, force: true }); }
  say({ ok: true });
} catch (error) {
  try { fs.rmSync(temp, { recursive: true, force: true }); } catch {}
  say({ ok: false, code: String(error.code), message: String(error.message) });
  process.exitCode = 1;
}
`;

/** Starts Node with a program that is passed as an argument, in base64. */
export const NODE_SCRIPT =
  'exec "$1" -e "eval(Buffer.from(process.argv[1],process.argv[2]).toString())" "$2" base64 "$3"';
