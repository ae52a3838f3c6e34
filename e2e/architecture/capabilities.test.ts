/** Checks that each “yes” in the table of docs/capabilities.md names a test that exists, and each “no” a reason. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const STATES = ['yes', 'in part', 'no'];

/** The rows of the table: number, capability, state, and the test or reason. */
const rows = readFileSync(join(ROOT, 'docs/capabilities.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((field) => field.trim()))
  .map(([, number = '', name = '', state = '', evidence = '']) => ({ number, name, state, evidence }));

const tests = rows.flatMap(({ name, evidence }) =>
  [...evidence.matchAll(/`([^`]+)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({ name, file, title })),
);

describe('[WI-340] each capability is demonstrated by a test or documented as missing', () => {
  it('the table has each number once', () => {
    expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 48 }, (_, at) => at + 1));
    expect(new Set(rows.map(({ name }) => name)).size).toBe(48);
  });

  it.each(rows)('$number $name: $state', ({ name, state, evidence }) => {
    expect(STATES).toContain(state);
    const own = tests.filter((test) => test.name === name);
    if (state === 'yes') expect(own.length).toBeGreaterThan(0);
    else expect(evidence).toMatch(/\w+ \w+.*\.$/);
  });

  it.each(tests)('$name: $title', ({ file, title }) => {
    const path = join(ROOT, file);
    expect(existsSync(path), `${file} does not exist`).toBe(true);
    expect(file).toMatch(/\.(?:test|spec)\.tsx?$/);
    expect(readFileSync(path, 'utf8')).toContain(title);
  });
});
