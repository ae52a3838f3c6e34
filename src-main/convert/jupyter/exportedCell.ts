import type { ConvertedCell } from './converted.ts';
import { isObject } from './jupyterJson.ts';

/** The magic of each language that Cellar's export puts before the source. */
const MAGICS = { sql: /^%%sql[^\n]*(?:\n|$)/, r: /^%%R[^\n]*(?:\n|$)/ } as const;

/**
 * A cell that Cellar's own export wrote in the form of another language, as it was; null for all others. An edited SQL, R or
 * prompt cell keeps the edit. A widget cell comes from its metadata: its code in Jupyter only sets the values of its controls.
 */
export function exportedCell(
  metadata: unknown,
  source: string,
): Pick<ConvertedCell, 'language' | 'source'> | null {
  const cellar = isObject(metadata) ? metadata['cellar'] : undefined;
  if (!isObject(cellar)) return null;
  const { language, source: original } = cellar;
  if (language === 'prompt') return { language, source };
  if (language === 'widget') return typeof original === 'string' ? { language, source: original } : null;
  if (language !== 'sql' && language !== 'r') return null;
  return MAGICS[language].test(source) ? { language, source: source.replace(MAGICS[language], '') } : null;
}
