import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { analyzeCell, createAnalyzer } from './analyzeCell.ts';
import type { CellAnalyzer } from './cellAnalysis.ts';

let analyzer: CellAnalyzer;

beforeAll(async () => {
  analyzer = await createAnalyzer();
});

const sha = (text: string) => createHash('sha256').update(text).digest('hex');

test('[PV-1] the digest of a loop cell is that of provenance-and-cache 4', () => {
  const { sourceHash } = analyzeCell(analyzer, {
    language: 'python',
    source: '# @loop max_iter=3 carry=x\nx = x + 1',
  });
  expect(sourceHash).toMatch(/^e101d27e[0-9a-f]{52}eb71$/);
});

/** Source → the text whose digest is the source hash. */
const HASHED = [
  ['python', 'y=x+1', 'y = x + 1'],
  ['python', '# @name a\n\ny = (x + 1)  # note\n', 'y = x + 1'],
  ['python', '', ''],
  ['python', '# note', ''],
  ['python', 'x = = 1  \n\n', 'x = = 1'],
  ['python', '# @per_variant m\nx = 1', 'x = 1\0{"per_variant":"m"}'],
  ['sql', '# @name a  \r\nSELECT 1  \r\n\r\n', '# @name a\nSELECT 1'],
  ['markdown', '  # Title  \n\ntext', '# Title\n\ntext'],
] as const;

test.each(HASHED)('[PV-1] %s %j is hashed as %j', (language, source, text) => {
  expect(analyzeCell(analyzer, { language, source }).sourceHash).toBe(sha(text));
});

const BLANK = [
  ['python', ' \n# @name a\n\n', true],
  ['python', '\uFEFF', true],
  ['python', 'pass', false],
  ['markdown', '# Title', false],
  ['markdown', '\n ', true],
] as const;

test.each(BLANK)('%s %j is empty: %s', (language, source, isEmpty) => {
  expect(analyzeCell(analyzer, { language, source }).isEmpty).toBe(isEmpty);
});

test('the analysis includes annotations and their diagnostics', () => {
  const { annotations, diagnostics, defines } = analyzeCell(analyzer, {
    language: 'python',
    source: '# @name load\n# @timeout abc\ndf = read()',
  });
  expect([annotations.name, diagnostics.map(({ code }) => code), defines]).toEqual([
    'load',
    ['timeout_not_numeric'],
    ['df'],
  ]);
});

const LOOPS = [
  ['# @loop max_iter=2 carry=x\ny = 1', ['x'], []],
  ['# @loop max_iter=2 carry=x\nx = x + step', ['step', 'x'], []],
  ['# @loop max_iter=2 carry=x until=abs(x)<tol\nx = 1', ['tol', 'x'], ['abs']],
  ['# @loop max_iter=2 carry=x\n# @loop_until all(e < tol for e in err)\nerr = [x]', ['tol', 'x'], ['all']],
  ['# @loop max_iter=2 carry=x start_from=l@iter=1\ny = 1', [], []],
  ['# @loop max_iter=2 carry=x until=)(\ny = 1', ['x'], []],
  ['# @loop max_iter=0 carry=x until=tol\ny = 1', [], []],
  ['# @loop max_iter=2 carry=_x\ny = 1', [], []],
] as const;

test.each(LOOPS)('[LO-1] %j reads %j and the builtins %j', (source, references, builtins) => {
  const analysis = analyzeCell(analyzer, { language: 'python', source });
  expect([analysis.references, analysis.builtinReferences]).toEqual([references, builtins]);
});

const LOOP = '# @loop max_iter=2 carry=x until=x>9\nx = x + 1';
const SAME_ITERATION = [
  ['# @loop max_iter=7 carry=x until=x>9\nx = x+1  # more often', true],
  ['# @loop max_iter=2 carry=x start_from=l@iter=1 until=x>9\nx = x + 1', true],
  ['# @loop max_iter=2 carry=x until=x>8\nx = x + 1', false],
  ['# @loop max_iter=2 carry=y until=x>9\nx = x + 1', false],
  ['# @loop max_iter=2 carry=x until=x>9\nx = x + 2', false],
  ['x = x + 1', false],
] as const;

test.each(SAME_ITERATION)('[LO-4] an iteration of %j has the digest of the loop: %s', (source, same) => {
  const hashOf = (text: string) => analyzeCell(analyzer, { language: 'python', source: text }).iterationHash;
  expect(hashOf(LOOP)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOf(source) === hashOf(LOOP)).toBe(same);
});
