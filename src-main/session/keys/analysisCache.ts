/** Caches the analyses of cells by their language and text. */

import type { Language } from '../../../src-shared/wire/cell.ts';
import { analyzeCell, isAnalyzable } from '../../language/analyzeCell.ts';
import type { CellAnalysis, CellAnalyzer } from '../../language/cellAnalysis.ts';

/** Capacity of the cache, in characters of source: three notebooks of five hundred cells. */
const KEPT_CHARACTERS = 4_000_000;
/** The cost of an analysis besides its text; for a one-word text it is by far the larger part. */
const ENTRY_CHARACTERS = 2_000;

/**
 * A least-recently-used cache of analyses by text: reopening a notebook, undoing an edit and retyping a word
 * cost a look-up instead of a parse. Safe because an analysis is a pure function of language and text, once
 * the external program that reads the text has replied.
 */
export function createAnalysisCache(
  analyzer: CellAnalyzer,
): (language: Language, source: string) => CellAnalysis {
  const cache = new Map<string, CellAnalysis>();
  let characters = 0;
  return (language, source) => {
    const key = `${language}\0${source}`;
    const cached = cache.get(key);
    if (cached !== undefined) {
      cache.delete(key);
      cache.set(key, cached);
      return cached;
    }
    const analysis = analyzeCell(analyzer, { language, source });
    if (!isAnalyzable(analyzer, language, source)) return analysis;
    cache.set(key, analysis);
    characters += key.length + ENTRY_CHARACTERS;
    for (const oldest of cache.keys()) {
      if (characters <= KEPT_CHARACTERS) break;
      cache.delete(oldest);
      characters -= oldest.length + ENTRY_CHARACTERS;
    }
    return analysis;
  };
}
