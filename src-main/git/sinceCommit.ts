/** Lists the cells and settings of a notebook that changed since the last Git commit, for the History panel. */

import { createHash } from 'node:crypto';
import { captureTool } from '../environment/uv/runTool.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { readFileAt } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { listFiles } from '../notebook/listFiles.ts';

/** A file of a notebook that differs from the last commit. */
interface ChangedFile {
  /** Relative to the notebook's folder, with forward slashes. */
  readonly path: string;
  /** The text in the commit; null if the commit does not have the file. */
  readonly before: string | null;
  /** The current text; null if the file does not exist. */
  readonly after: string | null;
}

type SinceCommit =
  /** Git is missing, or the folder has no commit. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'commit';
      readonly hash: string;
      readonly subject: string;
      /** ISO 8601. */
      readonly at: string;
      readonly changes: readonly ChangedFile[];
      /** Whether there are more changes than listed. */
      readonly truncated: boolean;
    };

/**
 * Overrides settings of a repository that would start programs or use a network, because the repository may
 * be untrusted.
 */
const HARMLESS = [
  ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never'],
  ...['-c', 'log.showSignature=false', '--no-pager', '--literal-pathspecs'],
];
const TIMEOUT_MS = 10_000;
const MAX_CHANGES = 100;
/** Files larger than this are not compared; the longest cell is smaller. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/**
 * Matches the files that are compared: cells and the other files that users write. Locks are long and written by tools.
 */
const OWN = /^(?:cells\/[^/]+|notebook\.toml|pyproject\.toml)$/;

/**
 * The changes of a notebook's cells, settings and packages since the last commit of its folder. Git only
 * reads: it writes no index, starts no program that the repository names, and uses no network.
 */
export async function sinceCommit(
  dir: NotebookFolder,
  { env }: { readonly env: NodeJS.ProcessEnv },
): Promise<SinceCommit> {
  const git = createGit(dir, env);
  const head = await git('log', '-1', '--format=%H%x00%cI%x00%s', 'HEAD');
  const tree = head === null ? null : await git('ls-tree', '-r', '-z', 'HEAD', '.');
  if (head === null || tree === null) return { kind: 'none' };
  const [hash = '', at = '', subject = ''] = head.trimEnd().split('\0');
  const committed = blobsIn(tree);
  const { files } = await listFiles(dir);
  const present = new Set(files.map(({ path }) => path));
  const paths = new Set([...committed.keys(), ...present]);
  const changes: ChangedFile[] = [];
  for (const path of [...paths].filter((one) => OWN.test(one)).sort()) {
    const bytes = present.has(path) ? await readOwn(dir, path) : null;
    if (bytes === 'unreadable') continue;
    const blob = committed.get(path);
    if (blob !== undefined && bytes !== null && blobId(bytes, blob) === blob) continue;
    if (changes.length === MAX_CHANGES)
      return { kind: 'commit', hash, subject, at, changes, truncated: true };
    const before = blob === undefined ? null : await git('cat-file', 'blob', blob);
    changes.push({ path, before, after: bytes === null ? null : bytes.toString('utf8') });
  }
  return { kind: 'commit', hash, subject, at, changes, truncated: false };
}

/** Runs git in the folder. @returns its output; null if it failed or is not installed */
function createGit(
  dir: NotebookFolder,
  env: NodeJS.ProcessEnv,
): (...args: readonly string[]) => Promise<string | null> {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  const quiet = { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  return async (...args) => {
    const { end, stdout } = await captureTool({
      file: 'git',
      args: [...HARMLESS, ...args],
      cwd: dir,
      timeoutMs: TIMEOUT_MS,
      env: { ...clean, ...quiet },
    });
    return end.kind === 'exited' && end.code === 0 ? stdout : null;
  };
}

/** The ids of blobs by path, from `ls-tree -z`; paths are relative to the folder that git was started in. */
function blobsIn(tree: string): ReadonlyMap<string, string> {
  const blobs = new Map<string, string>();
  for (const entry of tree.split('\0')) {
    const [, kind, blob, path] = /^\d+ (\w+) ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    if (kind === 'blob' && blob !== undefined && path !== undefined) blobs.set(path, blob);
  }
  return blobs;
}

/** The name of these bytes in git, with the repository's own hash. */
function blobId(bytes: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/**
 * The content of a file; null if it was deleted in the meantime. A link, or a file that is too large for a cell, is not
 * compared.
 */
async function readOwn(dir: NotebookFolder, path: string): Promise<Buffer | 'unreadable' | null> {
  try {
    return await readFileAt(placeIn(dir, path), { maxBytes: MAX_TEXT_BYTES });
  } catch (error) {
    if (error instanceof PlaceRefusal) return 'unreadable';
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
