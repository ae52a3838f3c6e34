/** Recognizes cells in a Jupyter file that Cellar's own export wrote, and restores their language. */

import type { ConvertedCell } from './convertedNotebook.ts';
import { isObject } from './jupyterJson.ts';

/**
 * Restores the cells of languages that Jupyter does not have; null: not in the form that the export wrote.
 */
const BACK: Readonly<Record<string, (source: string, original: unknown) => ExportedCell | null>> = {
  sql: (source) => withoutMagic(source, { language: 'sql', magic: /^%%sql[^\n]*(?:\n|$)/ }),
  r: (source) => withoutMagic(source, { language: 'r', magic: /^%%R[^\n]*(?:\n|$)/ }),
  prompt: (source) => ({ language: 'prompt', source }),
  // In Jupyter its code only sets the values of its controls.
  widget: (_source, original) =>
    typeof original === 'string' ? { language: 'widget', source: original } : null,
};

type ExportedCell = Pick<ConvertedCell, 'language' | 'source'>;

/**
 * The original form of a cell that Cellar's own export converted from another language; null for all others.
 * An edited SQL, R or prompt cell keeps the edit; a widget cell comes from its metadata.
 */
export function exportedCell(metadata: unknown, source: string): ExportedCell | null {
  const cellar = isObject(metadata) ? metadata['cellar'] : undefined;
  if (!isObject(cellar)) return null;
  const { language, source: original } = cellar;
  if (typeof language !== 'string' || !Object.hasOwn(BACK, language)) return null;
  return BACK[language]?.(source, original) ?? null;
}

function withoutMagic(
  source: string,
  { language, magic }: { readonly language: 'sql' | 'r'; readonly magic: RegExp },
): ExportedCell | null {
  return magic.test(source) ? { language, source: source.replace(magic, '') } : null;
}
