/** The index of a notebook's fetched files: which content each URL had, and when. */

import { join } from 'node:path';
import * as z from 'zod';
import { errnoOf } from '../../lib/atomicFile.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';

/** The record of a URL (docs/spec/analysis-and-graph.md, 3.6). Times are ISO UTC. */
const entry = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  filename: z.string().refine(isFileName),
  checked_at: z.string(),
  fetched_at: z.string(),
  etag: z.string().nullable().default(null),
  last_modified: z.string().nullable().default(null),
});
export type FetchEntry = z.infer<typeof entry>;

/** Whether a name is valid as a file name on any system: the index may be written by hand or come from a snapshot. */
function isFileName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

/** The index in `.svc/fetch/index.json`, written one change at a time, completely or not at all. */
export interface FetchIndex {
  get(url: string): Promise<FetchEntry | null>;
  set(url: string, entry: FetchEntry): Promise<void>;
}

export function createFetchIndex(folder: string): FetchIndex {
  const path = join(folder, 'index.json');
  let loaded: Promise<Map<string, FetchEntry>> | null = null;
  const inTurn = createSerialRunner();
  const load = () => {
    loaded ??= readIndex(path);
    return loaded;
  };
  return {
    get: async (url) => (await load()).get(url) ?? null,
    set(url, index) {
      return inTurn(async () => {
        const entries = await load();
        entries.set(url, index);
        makePrivateFolder(folder);
        await replaceFile(path, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
      });
    },
  };
}

/** A cache may be lost; unreadable entries are ignored. */
async function readIndex(path: string): Promise<Map<string, FetchEntry>> {
  const entries = new Map<string, FetchEntry>();
  let parsed: unknown;
  try {
    parsed = JSON.parse((await readFileAt(path)).toString('utf8'));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof PlaceRefusal)
      return entries;
    throw error;
  }
  const whole = z.record(z.string(), z.unknown()).safeParse(parsed);
  for (const [url, value] of Object.entries(whole.success ? whole.data : {})) {
    const parsed = entry.safeParse(value);
    if (parsed.success) entries.set(url, parsed.data);
  }
  return entries;
}
