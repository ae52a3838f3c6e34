import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSnippetFile } from './snippetFile.ts';

const place = (): string => join(mkdtempSync(join(tmpdir(), 'cellar-snippets-')), 'in/snippets.toml');
const LOAD = {
  name: 'Load sales',
  language: 'python',
  source: 'import pandas as pd\n\nsales = "a\\b"\n',
} as const;

test('[WI-401] snippets are written to a file that reads the same', async () => {
  const path = place();
  const snippets = createSnippetFile(path);
  expect(await snippets.read()).toEqual({ snippets: [], problem: null, path, sha256: null });
  const first = await snippets.write([LOAD], null);
  expect(first).toMatchObject({ snippets: [LOAD], problem: null });
  expect(await createSnippetFile(path).read()).toEqual(first);
  expect(await snippets.write([], null)).toEqual({ refused: `${path} was changed by another program.` });
});

test.each([
  ['no TOML', '[[snippets]\nname = 1', /: line 1: /],
  ['an invalid name', '[[snippets]]\nname = ""\nlanguage = "python"\nsource = "x"', /: snippet 1, name: /],
  [
    'an unknown language',
    '[[snippets]]\nname = "a"\nlanguage = "cobol"\nsource = "x"',
    /: snippet 1, language: /,
  ],
  ['no source', '[[snippets]]\nname = "a"\nlanguage = "sql"', /: snippet 1, source: /],
  ['not text', Buffer.from([0xff, 0xfe, 0x00]), /not UTF-8/],
  ['too large', `# ${'x'.repeat(1024 * 1024)}`, /larger than 1 MB/],
])(
  '[WI-402] a damaged file is reported with the reason, and not overwritten: %s',
  async (_name, text, problem) => {
    const path = place();
    const snippets = createSnippetFile(path);
    await snippets.write([LOAD], null);
    writeFileSync(path, text);
    const now = await snippets.read();
    expect(now.snippets).toEqual([]);
    expect(now.problem).toMatch(problem);
    expect(await snippets.write([LOAD], now.sha256)).toEqual({
      refused: `${now.problem} Correct or remove the file first.`,
    });
    expect(readFileSync(path).equals(Buffer.from(text as string))).toBe(true);
  },
);
