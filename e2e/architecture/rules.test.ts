import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Rules without a test of their own, and why. A rule leaves this list with the test that takes its number. */
const UNTESTED: Readonly<Record<string, string>> = {};

interface Rule {
  readonly id: string;
  readonly file: string;
  readonly text: string;
}

/** `- **[LP-14]** One sentence. (where it comes from)`, and nothing else may start like a rule. */
const RULE = /^- \*\*\[([A-Z]{2}-[1-9]\d*)\]\*\* (\S.*\.) \([^()]+\)$/;

/** Pages of docs/rules that hold no rules of their own. */
const COVERAGE = ['coverage-of-languages.md', 'coverage-of-rest-and-live.md'];
const NO_RULES = ['README.md', ...COVERAGE];

function readRules(): { readonly rules: readonly Rule[]; readonly malformed: readonly string[] } {
  const folder = join(ROOT, 'docs/rules');
  const rules: Rule[] = [];
  const malformed: string[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.md') && !NO_RULES.includes(name))) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [, id, text] = RULE.exec(line) ?? [];
      if (id !== undefined && text !== undefined) rules.push({ id, file, text });
      else if (line.trim() !== '' && !line.startsWith('#')) malformed.push(`${file}: ${line}`);
    }
  }
  return { rules, malformed };
}

/** Number → the test files that carry it. A contract suite names its tests in a file of its own. */
function readNumbers(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const root of ['src-main', 'src-renderer', 'src-shared', 'e2e', 'harness']) {
    for (const name of readdirSync(join(ROOT, root), { recursive: true, encoding: 'utf8' })) {
      if (!/(\.(test|spec)\.tsx?|[a-z]Contract\.ts|(^|[/\\])test_\w+\.py)$/.test(name)) continue;
      const file = `${root}/${name.replaceAll('\\', '/')}`;
      for (const [, id = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(/\[([A-Z]{2}-\d+)\]/g)) {
        found.set(id, [...(found.get(id) ?? []), file]);
      }
    }
  }
  return found;
}

describe('[AR-8] rules and their tests', () => {
  const { rules, malformed } = readRules();
  const numbers = readNumbers();
  const ids = new Set(rules.map(({ id }) => id));

  it('every rule is one sentence with a number and a source', () => {
    expect(malformed).toEqual([]);
    expect(rules.length).toBeGreaterThan(80);
  });

  it('no number is given twice, and each room has its own letters', () => {
    const all = rules.map(({ id }) => id);
    expect(all.filter((id, at) => all.indexOf(id) !== at)).toEqual([]);
    const rooms = new Set(rules.map(({ id, file }) => `${id.slice(0, 2)} ${file}`));
    expect(rooms.size).toBe(new Set(rules.map(({ file }) => file)).size);
    expect(rooms.size).toBe(new Set(rules.map(({ id }) => id.slice(0, 2))).size);
  });

  it('every number a test carries is a rule', () => {
    expect([...numbers].filter(([id]) => !ids.has(id))).toEqual([]);
  });

  it('every rule has a test, or a reason why not', () => {
    expect(rules.filter(({ id }) => !numbers.has(id) && !Object.hasOwn(UNTESTED, id))).toEqual([]);
  });

  it.each(COVERAGE)('each sentence of %s has rules, and tests that carry them', (name) => {
    const page = readFileSync(join(ROOT, 'docs/rules', name), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| (API )?\d/.test(line));
    const wrong = rows.filter((line) => {
      const [, , , rulesOf = '', testsOf = ''] = line.split('|').map((part) => part.trim());
      const tests = [...testsOf.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '');
      const named = rulesOf.split(', ');
      const carried = named.filter(
        (id) => ids.has(id) && tests.some((file) => numbers.get(id)?.includes(file)),
      );
      const carrying = tests.filter((file) => named.some((id) => numbers.get(id)?.includes(file)));
      return carried.length !== named.length || carrying.length !== tests.length;
    });
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(50);
  });

  it('the list of untested rules names rules that are, with a reason each', () => {
    const wrong = Object.entries(UNTESTED).filter(
      ([id, reason]) => !ids.has(id) || numbers.has(id) || reason.length < 20,
    );
    expect(wrong).toEqual([]);
  });
});
