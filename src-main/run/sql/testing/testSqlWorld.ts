/** For tests that run SQL cells as whole steps: a store, a folder and SQL threads. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAnnotations } from '../../../../src-shared/notebook/annotations.ts';
import { cellId } from '../../../../src-shared/notebook/ids.ts';
import type { ArtifactRow } from '../../../artifacts/artifact.ts';
import { openStore } from '../../../artifacts/store.ts';
import { newItem } from '../../../artifacts/testing/testItems.ts';
import { createFakeExecutor } from '../../../exec/testing/fakeExecutor.ts';
import type { DataUse } from '../../../mount/dataAccess.ts';
import { dataItemsOf } from '../../../mount/dataItem.ts';
import { createFakeData } from '../../../mount/testing/fakeData.ts';
import type { Connection } from '../../../notebook/file/connectionBlocks.ts';
import { notebookFolder } from '../../../notebook/folder/notebookFolder.ts';
import { createConsoleLogs } from '../../../notebook/stored/consoleLogs.ts';
import { policyOf } from '../../../sql/readCell.ts';
import { createSqlThreads, type SqlThreads } from '../../../sql/sqlThreads.ts';
import { runStep } from '../../runStep.ts';
import type { StepOutcome } from '../../step.ts';
import { plainSql } from '../../testing/testStep.ts';
import { createSqlStep } from '../sqlStep.ts';
import type { Catalogs } from '../sqlUse.ts';

/** How to run a cell of a test. */
export interface SqlRunHow {
  /** The value of `:limit`. */
  readonly limit?: number;
  readonly useCache?: boolean;
  /** Mounts of the notebook: their paths and fingerprints. */
  readonly mounts?: Readonly<Record<string, TestMount>>;
}

interface TestMount {
  readonly path: string;
  readonly token: string | null;
  readonly mode?: 'ro' | 'rw';
}

/** A store, a folder and SQL threads, for tests that run SQL cells as whole steps. */
export async function openSqlWorld() {
  const root = notebookFolder(await mkdtemp(join(tmpdir(), 'sql-step-')));
  const store = await openStore(join(root, 'artifacts'));
  const executor = createFakeExecutor();
  const data = createFakeData();
  const threads = createSqlThreads();
  let count = 0;
  const countingThreads: SqlThreads = {
    ...threads,
    begin: (...args) => {
      count += 1;
      return threads.begin(...args);
    },
  };
  let clock = (): number => Date.now();
  const sql = createSqlStep({
    threads: countingThreads,
    credentials: { named: null, serverEnv: {} },
    now: () => clock(),
  });
  const background: Promise<unknown>[] = [];

  function tools() {
    return {
      store,
      executor,
      scratchDir: root,
      logs: createConsoleLogs(root, { maxBytes: 1 << 20, longerThan: 100 }),
      inBackground: (work: Promise<unknown>) => void background.push(work),
      data,
      languages: { sql },
    };
  }

  /**
   * One cell of a notebook, which may run repeatedly; it remembers its stored versions, as the session does.
   */
  function cellOf(connection: () => Connection, catalogs: () => Catalogs = () => ({})) {
    const id = `q${randomUUID().slice(0, 6)}`;
    let rows: readonly ArtifactRow[] = [];
    return async (source: string, how: SqlRunHow = {}): Promise<StepOutcome> => {
      const { limit = 1, useCache = true, mounts = {} } = how;
      for (const [name, thing] of Object.entries(mounts)) data.things.set(name, thing);
      const { sql, cache } = parseAnnotations(source, 'sql');
      const [row] = await store.publish([newItem(`limit-${limit}`, String(limit))]);
      if (row === undefined) throw new Error('nothing was stored');
      const request = plainSql({
        notebookDir: root,
        cellId: cellId(id),
        source,
        provenanceHash: `of ${source} ${limit}`,
        contentKey: 'looked up',
        inputs: [{ variable: 'limit', producerId: cellId('p'), row, variant: null, perRun: false }],
        defines: ['result'],
        useCache,
        stored: rows.length === 0 ? {} : { result: rows },
        data: Object.entries(mounts).map(useOf),
        sql: {
          connection: connection(),
          write: sql.write,
          policy: policyOf(cache, sql.write),
          sessionId: 's',
          catalogs: catalogs(),
        },
      });
      const outcome = await runStep(tools(), request, {
        signal: new AbortController().signal,
        onConsole: () => undefined,
        runId: randomUUID(),
      });
      if (outcome.kind === 'ran') rows = [...outcome.published, ...rows];
      return outcome;
    };
  }

  return {
    root,
    cellOf,
    /** Stops the clock of the cells at this time, in milliseconds. */
    stopClock(at: number): void {
      clock = () => at;
    },
    /** How many queries of a database began. */
    queryCount: () => count,
    close: async () => {
      await Promise.all(background);
      await threads.close();
      await executor.close();
      await store.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function useOf([name, { path, token, mode = 'ro' }]: readonly [string, TestMount]): DataUse {
  const mount = { name, uri: `file://${path}`, mode, pin: null, options: {}, credential: null };
  const [item] = dataItemsOf(
    { notebook: [mount], cell: [] },
    { mounts: [], fetches: [], datasets: [], tables: [] },
  );
  if (item === undefined) throw new Error('a mount is wanted');
  return { item, fact: { key: item.key, token, problem: null, checkedAtMs: 0 } };
}

export type SqlWorld = Awaited<ReturnType<typeof openSqlWorld>>;
