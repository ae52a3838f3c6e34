/**
 * Checks the documents: every link leads to a file, every cited section of docs/spec exists, and every screenshot is
 * small and used.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sectionsOf } from './rules.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Every page of the repository that people read. */
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
].sort();

/** The links and images of a page, without web addresses and without code. */
function linksOf(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^([a-z]+:|#)/.test(link));
}

/** Pages of docs/spec by name, with the numbers of their sections. */
const SECTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  readdirSync(join(ROOT, 'docs/spec')).map((name) => [
    name.replace('.md', ''),
    sectionsOf(readFileSync(join(ROOT, 'docs/spec', name), 'utf8')),
  ]),
);

/**
 * Matches `docs/spec/live-protocol.md, 5.1, 7`, and the short form `live-protocol 5.1, 7`; in the short form, pages with
 * a common word as name (values, relay) only after a bracket.
 */
const CITATION = new RegExp(
  `(?:docs/spec/(${[...SECTIONS.keys()].join('|')})\\.md,?\\s(?:\\s*\\*\\s)?|` +
    `\\b(${[...SECTIONS.keys()].filter((page) => page.includes('-')).join('|')}) |` +
    `\\((${[...SECTIONS.keys()].join('|')}) )` +
    String.raw`(\d+(?:\.\d+)?(?:(?:, | to | and )\d+(?:\.\d+)?)*)`,
  'g',
);

/** Each section that a source file cites, as `page number`. */
function citedIn(text: string): readonly { readonly page: string; readonly number: string }[] {
  return [...text.matchAll(CITATION)].flatMap(([, path, hyphened, bracketed, numbers = '']) =>
    [...numbers.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => ({
      page: path ?? hyphened ?? bracketed ?? '',
      number,
    })),
  );
}

describe('links and citations in documents', () => {
  it('[AR-12] every link in the documents points to a file of the repository', () => {
    const broken = PAGES.flatMap((page) =>
      linksOf(readFileSync(join(ROOT, page), 'utf8'))
        .filter((link) => !existsSync(join(ROOT, dirname(page), link.split('#')[0] ?? '')))
        .map((link) => `${page}: ${link}`),
    );
    expect(PAGES.length).toBeGreaterThan(60);
    expect(broken).toEqual([]);
  });

  it('[AR-13] every section of docs/spec that the sources cite exists', () => {
    const files = ['src-main', 'src-renderer', 'src-shared', 'e2e', 'harness', 'scripts'].flatMap((root) =>
      readdirSync(join(ROOT, root), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(tsx?|mjs|css|py|[rR])$/.test(name) && !/node_modules|__pycache__/.test(name))
        .map((name) => `${root}/${name.replaceAll('\\', '/')}`),
    );
    const citations = files.flatMap((file) =>
      citedIn(readFileSync(join(ROOT, file), 'utf8')).map((citation) => ({ file, ...citation })),
    );
    const broken = citations.filter(({ page, number }) => !SECTIONS.get(page)?.has(number));
    expect(citations.length).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });

  it('[AR-15] docs/screenshots has at most twelve small pictures, each shown by a document', () => {
    const pictures = readdirSync(join(ROOT, 'docs/screenshots'));
    const links = new Set(
      PAGES.flatMap((page) =>
        linksOf(readFileSync(join(ROOT, page), 'utf8')).map((link) => join(dirname(page), link)),
      ),
    );
    const large = pictures.filter((name) => statSync(join(ROOT, 'docs/screenshots', name)).size > 100_000);
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.length).toBeLessThanOrEqual(12);
    expect(pictures.filter((name) => !links.has(join('docs', 'screenshots', name)))).toEqual([]);
    expect(large).toEqual([]);
  });
});
