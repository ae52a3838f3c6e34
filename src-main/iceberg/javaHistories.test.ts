/**
 * Iceberg tables with random deletes and schema changes, written by the Java library: each scan must give the
 * rows that Java's own scan gives.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from './testing/arrowRows.ts';
import { JAVA_LIBRARY, writtenByJava } from './testing/javaIceberg.ts';
import { scanned } from './testing/scanned.ts';

const isLong = process.env['LONG'] === '1';
/** The same tables each time in `npm test`, new ones in the long run. */
const FIRST = Number(process.env['FIRST'] ?? (isLong ? Math.floor(Math.random() * 1e9) : 1));
const TABLES = Number(process.env['TABLES'] ?? (isLong ? 1_000 : 4));

// Without Java or Maven there is no library: scripts/lib/testIcebergJava.mjs reports that.
describe.skipIf(JAVA_LIBRARY === undefined)('tables with random deletes, written by the Java library', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'iceberg-java-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(`[IC-20] every scan gives the rows that Java's own scan gives (tables from ${FIRST} on)`, {
    // A limit for hangs; a busy machine takes several times as long as an idle one.
    timeout: 300_000 + TABLES * 20_000,
  }, async () => {
    const histories = await writtenByJava(folder, { first: FIRST, count: TABLES });
    expect(histories).toHaveLength(TABLES);
    const steps = histories.map((history) => `v${history.version} ${history.steps}`).join('\n');
    for (const kind of ['positions', 'vector', 'equal', 'schema', 'spec']) expect(steps).toContain(kind);
    let queries = 0;
    for (const history of histories) {
      for (const { snapshot, rows } of history.queries) {
        const request = { snapshotId: snapshot === null ? null : BigInt(snapshot) };
        const about = `${history.table} at ${snapshot}: ${history.steps}`;
        const scan = await scanned(`${folder}#java.${history.table}`, request).catch((error: unknown) => {
          throw new Error(about, { cause: error });
        });
        expect(rowsOf(scan.rows), about).toEqual([...rows].sort());
        queries += 1;
      }
    }
    expect(queries).toBeGreaterThan(TABLES);
  });
});
