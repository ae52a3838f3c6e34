/** Records on its machine which process a worker that was started over SSH is. */

import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { errnoOf, writeFileAtomic } from '../../lib/atomicFile.ts';
import { startOf } from './processStart.ts';

/** The record (docs/spec/remote-execution.md, 9). */
const launched = z.object({
  pid: z.int().positive(),
  port: z.int(),
  /** The start of the process ({@link startOf}), so that a reused pid is not mistaken for the worker. */
  started: z.string().nullable().catch(null),
  launch_id: z.string().catch(''),
});
export type LaunchedWorker = z.infer<typeof launched>;

/** Matches the names of workers that are valid in a file name. */
export const LAUNCHED_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,199}$/;

export interface LaunchedPaths {
  readonly record: string;
  readonly log: string;
  /** The file that names the current keeper: the one that wrote here last. */
  readonly keeper: string;
}

export async function launchedPaths(name: string): Promise<LaunchedPaths> {
  const dir = join(homedir(), '.svc');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const base = join(dir, `worker-${name}`);
  return { record: `${base}.json`, log: `${base}.log`, keeper: `${base}.keeper` };
}

/** The running worker of a name; null if there is none. */
export async function runningWorker({ record }: LaunchedPaths): Promise<LaunchedWorker | null> {
  const text = await readFile(record, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const parsed = launched.safeParse(jsonOrNull(text));
  if (!parsed.success) return null;
  const { pid, started } = parsed.data;
  const now = await startOf(pid);
  return now !== null && (started === null || started === now) ? parsed.data : null;
}

export async function saveLaunchRecord({ record }: LaunchedPaths, worker: LaunchedWorker): Promise<void> {
  await writeFileAtomic(record, JSON.stringify(worker));
}

export async function removeLaunchRecord({ record, keeper }: LaunchedPaths): Promise<void> {
  await rm(record, { force: true });
  await rm(keeper, { force: true });
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
