/**
 * The rules of docs/rules as data: reads their lines, validates each line, finds the tests that carry their numbers,
 * and generates the page docs/rules/coverage.md from both.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const FOLDER = join(ROOT, 'docs/rules');

export interface Rule {
  readonly ids: readonly string[];
  /** Name of the page in docs/rules. */
  readonly file: string;
  readonly text: string;
}

/** Pages that map sentences of the reference to rules; their rows are written by hand. */
export const SENTENCE_PAGES = ['coverage-of-languages.md', 'coverage-of-rest-and-live.md'];

/** The page that `node scripts/rules.mjs` writes. */
export const GENERATED_PAGE = 'coverage.md';

const NO_RULES = ['README.md', GENERATED_PAGE, ...SENTENCE_PAGES];

/** The maximum length of a rule, which states one promise; details belong in docs/spec or docs/extensions.md. */
const LONGEST = 360;

const LINE = /^- \*\*\[([^\]]*)\]\*\* (.*)$/;
const ID = /^[A-Z]{2}-[1-9]\d*$/;
const LINK = /^\[([^\]]+)\]\(([^()\s]+)\)$/;

/** The numbers in the headings of a page, such as `## 3. Push request` and `### 3.1 Form`. */
export function sectionsOf(page: string): ReadonlySet<string> {
  return new Set([...page.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number = '']) => number));
}

/** The problem with one source of a rule, such as `[live-protocol 5.1, 7](../spec/live-protocol.md)`, or null. */
function problemOfSource(source: string): string | null {
  const [, label = '', target = ''] = LINK.exec(source) ?? [];
  if (target === '') return `a source is a link to a page in docs, or is left out: drop "${source}"`;
  const path = join(FOLDER, target.split('#')[0] ?? '');
  if (!path.startsWith(join(ROOT, 'docs'))) return `the source ${target} is not a page in docs`;
  if (!existsSync(path)) return `the source ${target} does not exist`;
  if (!target.includes('/spec/')) return null;
  const sections = sectionsOf(readFileSync(path, 'utf8'));
  const missing = [...label.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => number);
  const absent = missing.filter((number) => !sections.has(number));
  return absent.length > 0 ? `${target} has no section ${absent.join(', ')}` : null;
}

/** The parts of `[a 1, 2](x), [b](y)`; a comma inside a label does not separate them. */
function sourcesOf(text: string): readonly string[] {
  return text.split(/(?<=\)), /);
}

/** Reads `- **[LP-14, LP-15]** One promise. ([source](../spec/page.md))`, or returns the problem with the line. */
export function readRule(line: string, file: string): Rule | { readonly problem: string } {
  const [, numbers, rest] = LINE.exec(line) ?? [];
  const problem = (what: string) => ({ problem: `${file}: ${what}: ${line.slice(0, 80)}` });
  if (numbers === undefined || rest === undefined) {
    return problem('a rule is `- **[XX-1, XX-2]** One promise. ([source](../spec/page.md))`');
  }
  const ids = numbers.split(', ');
  const wrong = ids.filter((id) => !ID.test(id));
  if (wrong.length > 0) return problem(`numbers are like XX-1, separated by ", ", not "${wrong.join(', ')}"`);
  const [, text = rest, sources] = /^(.*\.) \((.*)\)$/.exec(rest) ?? [];
  if (!text.endsWith('.')) return problem('the text of a rule ends with a full stop');
  if (text.length > LONGEST) {
    return problem(`${text.length} characters of text; shorten to ${LONGEST}, details go to docs/spec`);
  }
  const fault = sources === undefined ? null : sourcesOf(sources).map(problemOfSource).find(Boolean);
  return fault ? problem(fault) : { ids, file, text };
}

/** All rules in the order of their pages, and a message for each line that is not a rule. */
export function readRules(): { readonly rules: readonly Rule[]; readonly problems: readonly string[] } {
  const rules: Rule[] = [];
  const problems: string[] = [];
  const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && !NO_RULES.includes(name));
  for (const file of pages.sort()) {
    for (const line of readFileSync(join(FOLDER, file), 'utf8').split('\n')) {
      if (line.trim() === '' || line.startsWith('#')) continue;
      const rule = readRule(line, file);
      if ('problem' in rule) problems.push(rule.problem);
      else rules.push(rule);
    }
  }
  return { rules, problems };
}

/** Number → the test files with it, including files of conformance suites. */
export function readNumbers(): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const root of ['src-main', 'src-renderer', 'src-shared', 'e2e', 'harness']) {
    for (const name of readdirSync(join(ROOT, root), { recursive: true, encoding: 'utf8' })) {
      if (!/(\.(test|spec)\.tsx?|[a-z]Contract\.ts|(^|[/\\])test_\w+\.py)$/.test(name)) continue;
      const file = `${root}/${name.replaceAll('\\', '/')}`;
      const ids = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\[([A-Z]{2}-\d+)\]/g)];
      for (const id of new Set(ids.map(([, one = '']) => one)))
        files.set(id, [...(files.get(id) ?? []), file]);
    }
  }
  return files;
}

/** The text of docs/rules/coverage.md: each rule by its numbers, with the test files that have them. */
export function coveragePage(
  rules: readonly Rule[],
  numbers: ReadonlyMap<string, readonly string[]>,
): string {
  const pages = [...new Set(rules.map(({ file }) => file))];
  const tables = pages.flatMap((page) => {
    const rows = rules
      .filter(({ file }) => file === page)
      .map(({ ids }) => {
        const tests = [...new Set(ids.flatMap((id) => numbers.get(id) ?? []))].sort();
        return `| ${ids.join(', ')} | ${tests.map((test) => `\`${test}\``).join(', ')} |`;
      });
    return [`## [${page.replace('.md', '')}](${page})`, '', '| Rule | Tests |', '|---|---|', ...rows, ''];
  });
  return [
    '<!-- Made from docs/rules and the tests by `node scripts/rules.mjs`; edits here are lost. -->',
    '',
    '# Rules and their tests',
    '',
    'Each rule by its numbers, with the test files that carry them.',
    '',
    ...tables,
  ].join('\n');
}
