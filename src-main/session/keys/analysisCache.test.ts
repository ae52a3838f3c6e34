import { expect, test } from 'vitest';
import { createAnalyzer } from '../../language/analyzeCell.ts';
import { createAnalysisCache } from './analysisCache.ts';

const analyzer = await createAnalyzer();

test.each<[string, { others: number; characters: number }, boolean]>([
  ['a large notebook and another one', { others: 1_000, characters: 1_500 }, true],
  ['every letter of a long day', { others: 10_000, characters: 10 }, false],
  ['a few texts of great length', { others: 10, characters: 500_000 }, false],
])('an analysis stays cached over %s: %o, %s', (_name, { others, characters }, isKept) => {
  const analyze = createAnalysisCache(analyzer);
  const first = analyze('markdown', 'the first text');
  expect(analyze('markdown', 'the first text')).toBe(first);
  for (let at = 0; at < others; at += 1) analyze('markdown', `${at}`.padEnd(characters, '.'));
  expect(analyze('markdown', 'the first text') === first).toBe(isKept);
});
