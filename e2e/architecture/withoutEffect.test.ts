/** Checks that the settings listed and documented as having no effect are exactly those that no code reads. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configReference } from '../../src-main/config/reference.ts';
import { configKey, row, VARIABLE_NAMES } from '../../src-main/config/variables.ts';
import { NOTHING_TO_SET, WITHOUT_EFFECT } from '../../src-main/config/withoutEffect.ts';

const SOURCES = join(import.meta.dirname, '../../src-main');

/** Settings that only the configuration reads: one to check other settings, one as a part of another setting. */
const READ_ONLY_BY_CONFIG = ['SVC_ALLOW_REMOTE_CLIENTS_IN_PERSONAL', 'SVC_CATALOG_URI'];

/** The words of the program outside the configuration and the tests. */
function wordsOfTheProgram(): ReadonlySet<string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('config') && !/\.test\.ts$|test[A-Z]|fake/.test(file),
  );
  return new Set(files.flatMap((file) => readFileSync(join(SOURCES, file), 'utf8').match(/\w+/g) ?? []));
}

it('[CF-10] the variables without effect are those that no code reads', () => {
  const words = wordsOfTheProgram();
  const unread = VARIABLE_NAMES.filter(
    (name) =>
      !words.has(configKey(name)) && row(name).readBy === undefined && !READ_ONLY_BY_CONFIG.includes(name),
  );
  expect([...WITHOUT_EFFECT, ...Object.keys(NOTHING_TO_SET)].sort()).toEqual([...unread].sort());
});

it.each([
  ['**No effect yet.**', WITHOUT_EFFECT],
  ['**No effect**: ', Object.keys(NOTHING_TO_SET)],
])('[CF-10] the reference marks exactly these variables by %s', (mark, names) => {
  const marked = configReference()
    .split('\n')
    .filter((line) => line.startsWith('| `SVC_') && line.includes(mark))
    .map((line) => line.split('`')[1]);
  expect(marked.sort()).toEqual([...names].sort());
});
