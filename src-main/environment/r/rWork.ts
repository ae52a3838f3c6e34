/** The environment jobs on R (set up renv, add a package, restore the library) and how each runs. */

import { readFile } from 'node:fs/promises';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { ToolStream } from '../uv/runTool.ts';
import { missingIn, readRFacts, writeLibraryMarker } from './rFacts.ts';
import { parseRLock, rLockKey } from './rLock.ts';
import { finishInit, markRChangeStarted, placeStage, recoverR, seedStage, stageOf } from './rStage.ts';
import { askR, type RCall, type RTools } from './rTool.ts';

/** What a job does to a notebook's R environment (docs/spec/rest-notebooks.md, 2.6, 6). */
export type RWork =
  /** Sets up renv in the notebook. */
  | { readonly action: 'r_init' }
  /** Adds a package. `package`: a name by R's own rules, without a version. */
  | { readonly action: 'r_add'; readonly package: string }
  /** Fills the library from renv.lock. */
  | { readonly action: 'r_restore' };

export interface RRequest {
  readonly dir: NotebookFolder;
  readonly tools: RTools;
  readonly signal?: AbortSignal | undefined;
  readonly onText?: (stream: ToolStream, text: string) => void;
  /** Default: the limit of the work (docs/spec/rest-notebooks.md, 2.6). */
  readonly timeoutMs?: number;
}

export type REnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'cancelled' }
  /** The message says what to do where possible. */
  | { readonly kind: 'failed'; readonly error: string };

const TIMEOUT_MS: Readonly<Record<RWork['action'], number>> = {
  r_init: 900_000,
  r_add: 600_000,
  r_restore: 900_000,
};

/** The name of an R package (docs/spec/rest-notebooks.md, 6). */
export const R_PACKAGE = /^[A-Za-z][A-Za-z0-9.]*$/;

/**
 * Does the work; renv's output is the log. The library and renv.lock change together, or not at all: a failure, a
 * cancellation and a kill leave both unchanged.
 * @throws system errors (a full disk, a removed folder), after everything is undone
 */
export async function doRWork(work: RWork, request: RRequest): Promise<REnd> {
  const rscript = await request.tools.find();
  if ('message' in rscript) return failure(rscript.message);
  await recoverR(request.dir);
  const started = performance.now();
  const limit = request.timeoutMs ?? TIMEOUT_MS[work.action];
  const { dir, tools, signal, onText } = request;
  const ask = (call: Pick<RCall, 'verb' | 'library' | 'lock' | 'package'>): ReturnType<typeof askR> =>
    askR({
      dir,
      tools,
      signal,
      rscript: rscript.path,
      ...call,
      ...(onText ? { onText } : {}),
      timeoutMs: Math.max(1, limit - (performance.now() - started)),
    });
  try {
    const { lock } = await readRFacts(dir);
    if (work.action === 'r_init' && lock === null) return await init(dir, ask);
    if (lock === null) return failure('The notebook has no renv.lock yet. Set up R packages first.');
    if (lock.content === null) {
      return failure('renv.lock is not a valid renv lockfile (JSON with `Packages`). Fix or delete it.');
    }
    return await rebuild(work.action === 'r_add' ? work.package : null, { dir, asking: ask });
  } finally {
    await recoverR(dir);
  }
}

type Asking = (call: Pick<RCall, 'verb' | 'library' | 'lock' | 'package'>) => ReturnType<typeof askR>;

async function init(dir: NotebookFolder, ask: Asking): Promise<REnd> {
  const stage = stageOf(dir);
  await markRChangeStarted(dir, { isInit: true });
  const answer = await ask({ verb: 'init', ...stage });
  if (answer.kind !== 'done') return answer;
  const text = await readFile(stage.lock, 'utf8');
  await writeLibraryMarker(answer.library, rLockKey(text));
  await finishInit(dir, text);
  return { kind: 'done' };
}

/** @param added null: the lock does not change */
async function rebuild(
  added: string | null,
  { dir, asking: ask }: { readonly dir: NotebookFolder; readonly asking: Asking },
): Promise<REnd> {
  const stage = stageOf(dir);
  const where = await ask({ verb: 'where', ...stage });
  if (where.kind !== 'done') return where;
  const note = await markRChangeStarted(dir, { isInit: false });
  await seedStage(stage, where.library);
  const answer = await ask(
    added === null ? { verb: 'restore', ...stage } : { verb: 'add', ...stage, package: added },
  );
  if (answer.kind !== 'done') return answer;
  const text = added === null ? (note.lockBefore ?? '') : await readFile(stage.lock, 'utf8');
  const lock = parseRLock(text);
  const missing = lock === null ? null : await missingIn(stage.library, lock);
  if (missing === null) return failure('renv did not write a lockfile. Nothing was changed.');
  if (missing.length > 0) {
    return failure(
      `renv finished, but these packages are missing from the library: ${missing.slice(0, 10).join(', ')}.`,
    );
  }
  await writeLibraryMarker(stage.library, rLockKey(text));
  await placeStage(dir, stage, { note, target: answer.library, lock: added === null ? null : text });
  return { kind: 'done' };
}

function failure(error: string): REnd {
  return { kind: 'failed', error };
}
