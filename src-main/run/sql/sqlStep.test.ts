import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAnnotations } from '../../../src-shared/notebook/annotations.ts';
import { cellId, notebookId } from '../../../src-shared/notebook/ids.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { openStore } from '../../artifacts/store.ts';
import { newItem } from '../../artifacts/testItems.ts';
import { createFakeExecutor } from '../../exec/fakeExecutor.ts';
import { createFakeData } from '../../mount/fakeData.ts';
import { createConsoleLogs } from '../../notebook/consoleLogs.ts';
import { policyOf } from '../../sql/readCell.ts';
import { createSqlThreads } from '../../sql/sqlThreads.ts';
import { type BigQueryServer, startBigQuery } from '../../sql/testing/bigqueryServer.ts';
import { type SnowflakeServer, startSnowflake } from '../../sql/testing/snowflakeServer.ts';
import { runStep } from '../runStep.ts';
import type { StepOutcome, StepRequest } from '../step.ts';
import { createSqlStep } from './sqlStep.ts';

/** Cache policies through a whole step: read, bound, keyed, asked, stored. The services are stand-ins on this machine. */

let root = '';
let store: ArtifactStore;
let snowflake: SnowflakeServer;
let bigquery: BigQueryServer;
const executor = createFakeExecutor();
const data = createFakeData();
const threads = createSqlThreads();
const background: Promise<unknown>[] = [];
/** What the services' clocks say next. */
let clock = 0;
function nextMoment(): string {
  clock += 1;
  return `2024-02-29T13:05:0${clock % 10}.000`;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sql-step-'));
  store = await openStore(join(root, 'artifacts'));
  snowflake = await startSnowflake(({ sqlText }) => {
    const rows = sqlText.startsWith('SELECT TO_VARCHAR(CONVERT_TIMEZONE')
      ? [[`${nextMoment()}000000+00:00`]]
      : [['7']];
    return { columns: [{ name: 'X', type: 'text' }], rows };
  });
  bigquery = await startBigQuery(({ query: { query } }) => {
    const v = query.startsWith('SELECT FORMAT_TIMESTAMP') ? `${nextMoment()}000Z` : '7';
    return { fields: [{ name: 'x', type: 'STRING' }], rows: [{ f: [{ v }] }] };
  });
  await writeFile(join(root, 'key.json'), JSON.stringify(bigquery.key));
});
afterAll(async () => {
  await Promise.all(background);
  await threads.close();
  await Promise.all([snowflake.stop(), bigquery.stop()]);
  await executor.close();
  await store.close();
  await rm(root, { recursive: true, force: true });
});

type DriverName = 'snowflake' | 'bigquery';

function connectionOf(driver: DriverName) {
  const block = { name: 'db', driver, auth: {}, options: {} };
  if (driver === 'bigquery') {
    const keys = { project_id: 'test-project', dataset_id: 'sales', credentials_path: 'key.json' };
    return { ...block, ...keys, options: { api_endpoint: bigquery.url } };
  }
  return {
    ...block,
    account: 'testaccount',
    user: snowflake.user,
    warehouse: 'WH',
    database: 'DB',
    schema: 'PUBLIC',
    auth: { password: snowflake.password },
    options: { access_url: snowflake.url },
  };
}

/** What the service was asked, apart from its clock. */
function asked(driver: DriverName): readonly string[] {
  const all =
    driver === 'snowflake'
      ? snowflake.queries.map(({ sqlText }) => sqlText)
      : bigquery.jobs.map(({ query }) => query.query);
  return all.filter((text) => text.includes('FROM ev'));
}

/** One cell of a notebook, run as often as one likes; it remembers what is stored of it, as the session does. */
function cellOf(driver: DriverName) {
  const id = `q${randomUUID().slice(0, 6)}`;
  let rows: readonly ArtifactRow[] = [];
  return async (
    source: string,
    how: { readonly limit?: number; readonly useCache?: boolean } = {},
  ): Promise<StepOutcome> => {
    const { limit = 1, useCache = true } = how;
    const { sql, cache } = parseAnnotations(source, 'sql');
    const [row] = await store.publish([newItem(`limit-${limit}`, String(limit))]);
    if (row === undefined) throw new Error('nothing was stored');
    const request: StepRequest = {
      notebookId: notebookId('n'),
      notebookDir: root,
      cellId: cellId(id),
      cellName: id,
      language: 'sql',
      source,
      sourceHash: source,
      provenanceHash: `of ${source} ${limit}`,
      contentKey: 'looked up',
      envHash: 'env',
      inputHashes: [],
      facts: {
        sourceHash: source,
        inputs: [],
        lockHash: '',
        timeoutSeconds: 10,
        env: {},
        worker: 'local',
        data: [],
        modules: [],
      },
      inputs: [{ variable: 'limit', producerId: cellId('p'), row, variant: null, perRun: false }],
      consumed: ['result'],
      storeLeaves: false,
      mutationDefines: [],
      defines: ['result'],
      useCache,
      cacheable: true,
      stored: rows.length === 0 ? {} : { result: rows },
      loop: null,
      fanOut: null,
      variant: null,
      widget: null,
      env: {},
      data: [],
      timeoutSeconds: 10,
      interpreter: { path: '/python', identity: 'p' },
      moduleNames: [],
      ai: null,
      modules: null,
      sql: {
        connection: connectionOf(driver),
        problem: null,
        write: sql.write,
        policy: policyOf(cache, sql.write),
        sessionId: 's',
      },
    };
    const outcome = await runStep(tools(), request, {
      signal: new AbortController().signal,
      onConsole: () => undefined,
      runId: randomUUID(),
    });
    if (outcome.kind === 'ran') rows = [...outcome.published, ...rows];
    return outcome;
  };
}

function tools() {
  const credentials = { named: null, serverEnv: {} };
  return {
    store,
    executor,
    scratchDir: root,
    logs: createConsoleLogs(root, { maxBytes: 1 << 20, longerThan: 100 }),
    inBackground: (work: Promise<unknown>) => void background.push(work),
    data,
    languages: { sql: createSqlStep({ threads, credentials }) },
  };
}

const SNAPSHOT = '# @sql connection=db\n# @cache snapshot\nSELECT x FROM ev WHERE id > :limit';

describe.each<[DriverName, RegExp]>([
  ['snowflake', /FROM ev AT\(TIMESTAMP => '([^']+)'::TIMESTAMP_TZ\) WHERE id > \?$/],
  ['bigquery', /FROM ev FOR SYSTEM_TIME AS OF TIMESTAMP ?'([^']+)' WHERE id > \?$/],
])('@cache snapshot on %s', (driver, sent) => {
  const momentOf = (text: string | undefined): string | null => sent.exec(text ?? '')?.[1] ?? null;

  it('[SQ-36] reads every run at the moment of the first, until the cell changes or is run again', async () => {
    const run = cellOf(driver);
    const kinds: string[] = [];
    const moments: (string | null)[] = [];
    const step = async (source: string, how?: Parameters<typeof run>[1]): Promise<void> => {
      const before = asked(driver).length;
      const outcome = await run(source, how);
      if (outcome.kind === 'failed') throw new Error(outcome.error);
      kinds.push(outcome.kind);
      const now = asked(driver);
      moments.push(now.length === before ? null : momentOf(now.at(-1)));
    };
    await step(SNAPSHOT);
    await step(SNAPSHOT);
    // Another value asks again, at the old moment; the first one's answer is still there.
    await step(SNAPSHOT, { limit: 2 });
    await step(SNAPSHOT);
    await step(SNAPSHOT, { useCache: false });
    await step(SNAPSHOT, { limit: 3 });
    await step(SNAPSHOT.replace('>', '> 1 +'));
    expect(kinds).toEqual(['ran', 'hit', 'ran', 'hit', 'ran', 'ran', 'ran']);
    const [first, , second, , rerun, third] = moments;
    expect(first).toMatch(/^2024-02-29T13:05:0\d\.000/);
    expect([second, third]).toEqual([first, rerun]);
    expect(rerun).not.toBe(first);
  });
});
