/** Checks the pages of docs/rules: form and numbers of the rules, a test for each number, and the coverage page. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  coveragePage,
  GENERATED_PAGE,
  readNumbers,
  readRule,
  readRules,
  SENTENCE_PAGES,
  sectionsOf,
} from './rules.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Numbers that no test has, with the reason. Remove a number when a test has it. */
const UNTESTED: Readonly<Record<string, string>> = {};

describe('[AR-8] rules and their tests', () => {
  const { rules, problems } = readRules();
  const numbers = readNumbers();
  const all = rules.flatMap(({ ids, file }) => ids.map((id) => ({ id, file })));
  const ids = new Set(all.map(({ id }) => id));

  it('every line of a rules page is a rule', () => {
    expect(problems).toEqual([]);
    expect(rules.length).toBeGreaterThan(80);
  });

  it.each([
    ['- **<XX-1>** One promise.', null],
    ['- **<XX-1, XX-22>** One (short) promise. ([sql 2](../spec/sql.md), [ADR](../adr/README.md))', null],
    ['- <XX-1> One promise.', 'a rule is `- **[XX-1, XX-2]**'],
    ['Prose between rules.', 'a rule is `- **[XX-1, XX-2]**'],
    ['- **<XX-1 XX-2>** One promise.', 'numbers are like XX-1, separated by ", ", not "XX-1 XX-2"'],
    ['- **<XX-01>** One promise.', 'not "XX-01"'],
    ['- **<XX-1>** One promise', 'ends with a full stop'],
    ['- **<XX-1>** One promise. (issue 5, item 1)', 'drop "issue 5, item 1"'],
    ['- **<XX-1>** One promise. ([sql](../spec/sql.md); ours)', 'drop "[sql](../spec/sql.md); ours"'],
    ['- **<XX-1>** One promise. ([sql](../spec/none.md))', '../spec/none.md does not exist'],
    ['- **<XX-1>** One promise. ([code](../../package.json))', 'is not a page in docs'],
    ['- **<XX-1>** One promise. ([sql 2, 99](../spec/sql.md))', 'has no section 99'],
    [`- **<XX-1>** ${'Many words. '.repeat(40).trim()}`, 'shorten to 360'],
  ])('%s', (line, problem) => {
    // Angle brackets, because a number in square ones would count as a rule that this file tests.
    const rule = readRule(line.replace('<', '[').replace('>', ']'), 'page.md');
    if (problem === null) expect(rule).toMatchObject({ file: 'page.md' });
    else expect(rule).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('no number is used twice, and each page uses different letters', () => {
    const allIds = all.map(({ id }) => id);
    expect(allIds.filter((id, at) => allIds.indexOf(id) !== at)).toEqual([]);
    const prefixes = new Set(all.map(({ id, file }) => `${id.slice(0, 2)} ${file}`));
    expect(prefixes.size).toBe(new Set(all.map(({ file }) => file)).size);
    expect(prefixes.size).toBe(new Set(all.map(({ id }) => id.slice(0, 2))).size);
  });

  it('every number in a test name is in a rule', () => {
    expect([...numbers].filter(([id]) => !ids.has(id))).toEqual([]);
  });

  it('every number of a rule has a test, or a reason for having none', () => {
    expect(all.filter(({ id }) => !numbers.has(id) && !Object.hasOwn(UNTESTED, id))).toEqual([]);
  });

  it('the list of untested numbers names numbers of rules, with a reason each', () => {
    const wrong = Object.entries(UNTESTED).filter(
      ([id, reason]) => !ids.has(id) || numbers.has(id) || reason.length < 20,
    );
    expect(wrong).toEqual([]);
  });

  it('docs/rules/coverage.md is up to date; `node scripts/rules.mjs` writes it', () => {
    const page = join(ROOT, 'docs/rules', GENERATED_PAGE);
    const current = existsSync(page) && readFileSync(page, 'utf8') === coveragePage(rules, numbers);
    expect(current, 'out of date: run `node scripts/rules.mjs`').toBe(true);
  });

  it.each(SENTENCE_PAGES)('each row of %s names a section of docs/spec and rules that exist', (name) => {
    const page = readFileSync(join(ROOT, 'docs/rules', name), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| [') || line.startsWith('| -'));
    const wrong = rows.filter((line) => {
      const [, section = '', , named = ''] = line.split('|').map((part) => part.trim());
      const [, label = '', file = ''] = /^\[([^\]]+)\]\(\.\.\/spec\/([a-z-]+\.md)\)$/.exec(section) ?? [];
      if (file === '' || !existsSync(join(ROOT, 'docs/spec', file))) return true;
      const sections = sectionsOf(readFileSync(join(ROOT, 'docs/spec', file), 'utf8'));
      const cited = [...label.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => number);
      return !cited.every((number) => sections.has(number)) || !named.split(', ').every((id) => ids.has(id));
    });
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(50);
  });
});
