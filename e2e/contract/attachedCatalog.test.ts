/**
 * Tests a SQL cell that reads a table of an Iceberg catalog, on the built server: an error until the catalog is
 * attached, then its rows, also after a new snapshot. The test starts the catalog.
 */

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IcebergCatalog, startIcebergCatalog } from '../../src-main/sql/testing/icebergCatalog.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** An `extension_directory` of DuckDB with httpfs, avro and iceberg. */
const EXTENSIONS = process.env['CELLAR_TEST_DUCKDB_EXTENSIONS'] ?? '';

// DuckDB's extensions are downloaded from its own site, which tests must not do.
describe.skipIf(!existsSync(EXTENSIONS))('a SQL cell on a catalog that was attached', () => {
  let root = '';
  let catalog: IcebergCatalog;
  let owner: DuckDBConnection;
  let server: ServerProcess;
  let notebook: OpenNotebook;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-attached-'));
    await mkdir(join(root, 'lake'));
    catalog = await startIcebergCatalog(join(root, 'lake'));
    owner = await (await DuckDBInstance.create(':memory:', { extension_directory: EXTENSIONS })).connect();
    for (const extension of ['httpfs', 'avro', 'iceberg']) await owner.run(`LOAD ${extension}`);
    await owner.run(`CREATE SECRET own (TYPE iceberg, TOKEN '${catalog.token}')`);
    await owner.run(`ATTACH 'wh' AS lake (TYPE iceberg, ENDPOINT '${catalog.url}', SECRET own)`);
    await owner.run('CREATE TABLE lake.ns.ev (id BIGINT)');
    await owner.run('INSERT INTO lake.ns.ev VALUES (1), (2)');
    server = await startServerProcess({ grants: [root] });
    const dir = await writeReadyNotebook(join(root, 'notebook'), {
      cells: [
        {
          id: 'count001',
          source: '# @name counted\n# @sql connection=db\nSELECT count(*) AS n FROM lake.ns.ev',
          language: 'sql',
        },
      ],
      toml: `\n[connections.db]\ndriver = "duckdb"\ncatalog = "lake"\noptions = { extension_directory = "${EXTENSIONS}" }\n`,
      dependencies: [],
    });
    notebook = await openNotebook(server, dir);
  }, 300_000);
  afterAll(async () => {
    owner?.closeSync();
    await server?.dispose();
    await catalog?.stop();
    await rm(root, { recursive: true, force: true });
  });

  it('[DP-106] reports that the catalog is not attached, then reads its tables, and reads again after a new snapshot', async () => {
    const before = await notebook.execute('count001');
    expect([before.status, before.error]).toEqual([
      'error',
      expect.stringContaining('is not attached in the Data panel'),
    ]);
    const properties = { type: 'rest', uri: catalog.url, warehouse: 'wh', token: catalog.token };
    const attached = await rest(server.url, 'PUT', '/v1/notebooks/x/catalogs/lake', { properties });
    expect(attached.status).toBe(200);
    const rows = async () => {
      const { status, cache_hit, outputs } = await notebook.execute('count001');
      return [status, cache_hit, outputs['counted']?.preview];
    };
    expect(await rows()).toEqual(['ready', false, [[2]]]);
    expect(await notebook.execute('count001')).toMatchObject({ status: 'ready', cache_hit: true });
    await owner.run('INSERT INTO lake.ns.ev VALUES (3)');
    expect(await rows()).toEqual(['ready', false, [[3]]]);
  });
});
