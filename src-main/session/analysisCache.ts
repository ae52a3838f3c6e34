import type { Language } from '../../src-shared/wire/cell.ts';
import { analyzeCell, type CellAnalysis, type CellAnalyzer, isAnalyzable } from '../language/analyzeCell.ts';

/** Characters of source whose analyses are kept: a few notebooks of five hundred cells. */
const KEPT_CHARACTERS = 8_000_000;

/**
 * Analyses by text, the most recently used kept: reopening a notebook, undoing an edit and typing a word back
 * cost a look-up instead of a parse. Safe because an analysis is a pure function of language and text, once what another
 * program has to say of the text is known.
 */
export function createAnalysisCache(
  analyzer: CellAnalyzer,
): (language: Language, source: string) => CellAnalysis {
  const known = new Map<string, CellAnalysis>();
  let characters = 0;
  return (language, source) => {
    const key = `${language}\0${source}`;
    const found = known.get(key);
    if (found !== undefined) {
      known.delete(key);
      known.set(key, found);
      return found;
    }
    const analysis = analyzeCell(analyzer, { language, source });
    if (!isAnalyzable(analyzer, language, source)) return analysis;
    known.set(key, analysis);
    characters += key.length;
    for (const oldest of known.keys()) {
      if (characters <= KEPT_CHARACTERS) break;
      known.delete(oldest);
      characters -= oldest.length;
    }
    return analysis;
  };
}
