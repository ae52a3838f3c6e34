import { DuckDBInstance } from '@duckdb/node-api';
import { makeVector } from 'apache-arrow';
import { expect, it } from 'vitest';
import { columnBuilder } from '../arrow/columnBuilder.ts';
import { batchOf } from './batch.ts';

/** DuckDB stores texts of up to 12 bytes beside their length, and longer ones elsewhere. */
it('[SQ-11] texts of every length and NULL are read unchanged', async () => {
  const texts = Array.from({ length: 40 }, (_, i) => (i % 7 === 6 ? null : 'aä€𝄞\0'.repeat(9).slice(0, i)));
  const values = texts.map((text) =>
    text === null ? 'NULL' : `decode(from_hex('${Buffer.from(text, 'utf8').toString('hex')}'))`,
  );
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const chunks = await (await connection.run(`SELECT unnest([${values.join(', ')}])`)).fetchAllChunks();
  const builder = columnBuilder({ kind: 'text' });
  for (const chunk of chunks) batchOf(chunk, [{ name: 'c', type: { kind: 'text' } }]).write(0, builder);
  // The encoder replaces half of a surrogate pair.
  const expected = texts.map((text) => (text === null ? null : Buffer.from(text, 'utf8').toString('utf8')));
  expect([...makeVector(builder.take())]).toEqual(expected);
  connection.closeSync();
  instance.closeSync();
});
