import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table, TimestampMicrosecond, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { afterAll, expect, it } from 'vitest';
import { TableCache } from '../service/tableCache.ts';

const dir = mkdtempSync(join(tmpdir(), 'search-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it.each([
  ['as ISO 8601 writes it', '2024-01-01T00:05', 1],
  ['as the table shows it', '2024-01-01 00:05', 2],
  ['by its day', '2024-01-01', 2],
  ['only by its parts, and not by two other numbers', '5 7', 1],
])('[VA-36] a search finds a time %s', (_name, search, matches) => {
  const path = join(dir, 'times.arrow');
  const at = vectorFromArray(
    [Date.UTC(2024, 0, 1, 0, 5), Date.UTC(2024, 0, 1), Date.UTC(2025, 0, 1)],
    new TimestampMicrosecond('UTC'),
  );
  const texts = vectorFromArray(['5 7', 'at 2024-01-01 00:05', ''], new Utf8());
  writeFileSync(path, tableToIPC(new Table({ at, said: texts }), 'stream'));
  const page = new TableCache(1 << 24).page({ path, sha256: search, offset: 0, limit: 0, search });
  expect(page.pageable && page.total).toBe(matches);
});
