/** Checks the texts of the program, comments, test names and documents: no banned words, no unused interface texts. */

import { describe, expect, it } from 'vitest';
import {
  allFiles,
  BANNED,
  BANNED_IN_COMMENTS,
  BANNED_IN_DOCUMENTS,
  bannedTexts,
  commentsOf,
  documents,
  documentTexts,
  PLAIN_FOLDERS,
  PLAIN_SCRIPTS,
  paragraphsOf,
  phrasesOf,
  productFiles,
  scriptLines,
  sourcesAt,
  type Text,
  treeOf,
  unusedEntries,
} from './uiWords.ts';

const reportOf = ({ file, line, text }: Text) => `${file}:${line}: ${text}`;
const source = (file: string, text: string) => ({ file, tree: treeOf(file, text) });

const TABLE = source(
  'src-renderer/ui/words/sample.ts',
  `export const SAMPLE = { one: 'One', deep: { a: 'A', b: 'B' }, many: { c: 'C' }, list: ['x'], dead: 'Dead' } as const;`,
);
const READER = source(
  'src-renderer/reader.ts',
  `import { SAMPLE as W } from './ui/words/sample.ts';
   export const shown = (kind: keyof typeof W.many) => [W.one, W.deep.a, W.many[kind], W.list.map(String)];`,
);

describe('the texts of the product', () => {
  it('[WI-300] every entry of the words tables is used', () => {
    expect(unusedEntries(sourcesAt(productFiles(['src-renderer'])))).toEqual([]);
  });

  it('[WI-300] an entry that nothing reads is reported', () => {
    expect(unusedEntries([TABLE, READER])).toEqual(['SAMPLE.deep.b', 'SAMPLE.dead']);
  });

  it('[WI-301] no text contains a word of the banned list', () => {
    const files = productFiles(['src-renderer', 'src-main', 'src-shared']);
    expect(files.length).toBeGreaterThan(1500);
    expect(bannedTexts(files, BANNED, phrasesOf).map(reportOf)).toEqual([]);
  });

  it.each([
    ["throw new Error('Whoever asked is gone.');", 'Whoever asked is gone.'],
    [`const label = \`Ask every worker anew, \${name}\`;`, 'Ask every worker anew, …'],
    ["const label = 'anew';", null],
    ["const label = 'Refresh workers';", null],
  ])('[WI-301] %s', (code, reported) => {
    const texts = phrasesOf(source('src-main/x.ts', code)).filter(({ text }) => BANNED.test(text));
    expect(texts.map(({ text }) => text)).toEqual(reported === null ? [] : [reported]);
  });

  it('[WI-301] no comment or test name of the listed folders contains a banned word', () => {
    const files = allFiles(PLAIN_FOLDERS);
    expect(files.length).toBeGreaterThan(1500);
    expect(bannedTexts(files, BANNED_IN_COMMENTS, commentsOf).map(reportOf)).toEqual([]);
    const lines = scriptLines(PLAIN_SCRIPTS);
    expect(lines.length).toBeGreaterThan(5000);
    expect(lines.filter(({ text }) => BANNED_IN_COMMENTS.test(text)).map(reportOf)).toEqual([]);
  });

  it.each([
    ['/** Asks anew. */ const a = 1;', ['/** Asks anew. */']],
    ['const a = 1; // for whoever asks', ['// for whoever asks']],
    ['const a = {\n  b, // lies here\n};', ['// lies here']],
    ["it('[WI-1] is told', () => {});", ['[WI-1] is told']],
    ['it.each([])(`it stands`, () => {});', ['it stands']],
    ["const text = '// anew';", []],
    ['// Checks it again.\nconst anew = 1;', []],
  ])('[WI-301] a comment or test name in %j', (code, reported) => {
    const texts = commentsOf(source('src-main/x.ts', code)).filter(({ text }) =>
      BANNED_IN_COMMENTS.test(text),
    );
    expect(texts.map(({ text }) => text)).toEqual(reported);
  });

  it('[WI-301] no document contains a banned word', () => {
    const pages = documents();
    const texts = documentTexts(pages);
    expect(pages.length).toBeGreaterThan(100);
    expect(texts.length).toBeGreaterThan(4000);
    expect(texts.filter(({ text }) => BANNED_IN_DOCUMENTS.test(text)).map(reportOf)).toEqual([]);
  });

  it.each([
    ['The server is\ntold about it.', ['x.md:1: The server is told about it.']],
    ['# Words\n\n- It stands\n  here.\n- Fine.', ['x.md:3: - It stands here.']],
    ['| a | b |\n|---|---|\n| c | ask anew |', ['x.md:3: | c | ask anew |']],
    ['A stand-in, and stand-ins.', []],
    ['The word `anew`, and `a long\nspan that lies` here.', []],
    ['Shown:\n```sh\necho told\n```\nThe end.', []],
    ['Shown: ``a ` told``, then whom.', ['x.md:1: Shown: , then whom.']],
  ])('[WI-301] a banned word in the document %j', (markdown, reported) => {
    const texts = paragraphsOf('x.md', markdown).filter(({ text }) => BANNED_IN_DOCUMENTS.test(text));
    expect(texts.map(reportOf)).toEqual(reported);
  });
});
