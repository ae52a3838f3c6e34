/** Checks that only the guarded module and the files listed in folderWrites.ts write to disk. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { TEST_SUPPORT, WRITES_ELSEWHERE, writesOf } from './folderWrites.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../src-main');

describe('[SG-9] below a notebook’s folder only the guarded module writes', () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !TEST_SUPPORT.test(name))
    .toSorted();
  const writers = new Map(
    files.flatMap((name) => {
      const writes = writesOf(readFileSync(join(ROOT, name), 'utf8'));
      return writes.length === 0 ? [] : [[name, writes] as const];
    }),
  );
  const allowed = Object.values(WRITES_ELSEWHERE).flat();

  it('every other writer is on the list, with a reason', () => {
    expect([...writers].filter(([name]) => !allowed.includes(name))).toEqual([]);
    expect(files.length).toBeGreaterThan(500);
  });

  it('every listed file writes, and is listed once', () => {
    expect(allowed.filter((name) => !writers.has(name))).toEqual([]);
    expect(new Set(allowed).size).toBe(allowed.length);
  });
});

const CODES = [
  ["import { rm } from 'node:fs/promises';", ['rm']],
  ["import {\n  readFile,\n  type Stats,\n  writeFileSync as put,\n} from 'node:fs';", ['writeFileSync']],
  ["import * as fs from 'node:fs';", ['all of node:fs']],
  ["import fs from 'fs';", ['all of fs']],
  ["import { openSync } from 'node:fs';\nopenSync(path, 'wx');", ['open']],
  ["import { open } from 'node:fs/promises';\nopen(path, O_WRONLY | O_CREAT);", ['open']],
  ["import { openSync } from 'node:fs';\nopenSync(path, 'r');", []],
  ["import { errnoOf, writeFileAtomic } from '../lib/atomicFile.ts';", ['writeFileAtomic']],
  ["import { rm } from './other.ts';", []],
] as const;
test.each(CODES)('[SG-9] %j writes by %j', (code, writes) => {
  expect(writesOf(code)).toEqual(writes);
});
