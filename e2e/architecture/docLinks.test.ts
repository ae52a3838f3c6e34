import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Every page of the repository that people read. */
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
].sort();

/** What a page links to or shows, without addresses of the web and without code. */
function linksOf(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^([a-z]+:|#)/.test(link));
}

/** Numbers of the headings of a page of docs/spec: `## 3. Push request`, `### 3.1 Form`. */
function sectionsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, 'docs/spec', `${page}.md`), 'utf8');
  return new Set([...text.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number = '']) => number));
}

describe('documents lead to what is there', () => {
  it('[AR-12] every link in the documents leads to a file of the repository', () => {
    const broken = PAGES.flatMap((page) =>
      linksOf(readFileSync(join(ROOT, page), 'utf8'))
        .filter((link) => !existsSync(join(ROOT, dirname(page), link.split('#')[0] ?? '')))
        .map((link) => `${page}: ${link}`),
    );
    expect(PAGES.length).toBeGreaterThan(60);
    expect(broken).toEqual([]);
  });

  it('[AR-13] the table of older citations names pages and sections that exist', () => {
    const text = readFileSync(join(ROOT, 'docs/spec/README.md'), 'utf8');
    const rows = text
      .split('\n')
      .flatMap((line) => /^\| (?:document|semantics|API|worker-|core-).* \| (.+) \|$/.exec(line)?.[1] ?? []);
    const named = rows.flatMap((cell) =>
      [...cell.matchAll(/([a-z][a-z-]+[a-z])((?:,? (?:to )?\d+(?:\.\d+)?)+)/g)].flatMap(
        ([, page = '', numbers = '']) =>
          [...numbers.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => ({ page, number })),
      ),
    );
    const pages = readdirSync(join(ROOT, 'docs/spec'));
    const broken = named.filter(
      ({ page, number }) => !pages.includes(`${page}.md`) || !sectionsOf(page).has(number),
    );
    expect(rows.length).toBeGreaterThan(100);
    expect(named.length).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });

  it('[AR-15] docs/screenshots has at most twelve small pictures, each shown by a document', () => {
    const pictures = readdirSync(join(ROOT, 'docs/screenshots'));
    const shown = new Set(
      PAGES.flatMap((page) =>
        linksOf(readFileSync(join(ROOT, page), 'utf8')).map((link) => join(dirname(page), link)),
      ),
    );
    const large = pictures.filter((name) => statSync(join(ROOT, 'docs/screenshots', name)).size > 100_000);
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.length).toBeLessThanOrEqual(12);
    expect(pictures.filter((name) => !shown.has(join('docs', 'screenshots', name)))).toEqual([]);
    expect(large).toEqual([]);
  });
});
