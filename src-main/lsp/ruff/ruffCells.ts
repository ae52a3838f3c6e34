/** Formats the text of a cell and reports likely mistakes in it, both with ruff. */

import type { LanguageFault } from '../../../src-shared/wire/routes/language.ts';
import { type Ruff, RuffRefused } from './ruffThread.ts';

type Formatted = { readonly text: string } | { readonly problem: string };

/**
 * The text of a cell formatted by ruff. It ends with a line break if the text did; a `;` at the end stays, because it
 * hides the value.
 */
export async function formatCell(ruff: Ruff, source: string): Promise<Formatted> {
  if (source.trim() === '') return { text: source };
  try {
    const formatted = await ruff.ask('format', source);
    if (typeof formatted !== 'string') return { problem: 'Ruff gave no text.' };
    const text = formatted.replace(/(\r\n|\n|\r)+$/, '');
    const isHidden = /;\s*$/.test(source) && !text.endsWith(';');
    const finalBreak = /\r?\n$/.exec(source)?.[0] ?? '';
    return { text: `${text}${isHidden ? ';' : ''}${finalBreak}` };
  } catch (error) {
    if (!(error instanceof RuffRefused)) throw error;
    return { problem: error.message.replace(/ at byte range \S+$/, '') };
  }
}

interface Place {
  readonly row: number;
  readonly column: number;
}
/** A diagnostic in ruff's own types. */
interface Found {
  readonly code: string | null;
  readonly message: string;
  readonly start_location: Place;
  readonly end_location: Place;
  readonly fix: {
    readonly message: string | null;
    readonly edits: readonly { readonly content: string | null; location: Place; end_location: Place }[];
  } | null;
}

/** Likely mistakes in a cell's text; none if it cannot be parsed, which the notebook reports itself. */
export async function lintCell(ruff: Ruff, source: string): Promise<LanguageFault[]> {
  if (source.trim() === '') return [];
  let findings: readonly Found[];
  try {
    findings = (await ruff.ask('check', source)) as readonly Found[]; // according to its types
  } catch (error) {
    if (!(error instanceof RuffRefused)) throw error;
    return [];
  }
  // For a text that cannot be parsed, findings have no rule.
  const faults = findings.filter(
    ({ code }) => code !== null && /^[A-Z]+\d+$/.test(code) && !code.startsWith('E9'),
  );
  return faults.map(({ code, message, fix, ...at }) => ({
    span: spanOf(at.start_location, at.end_location),
    severity: 'warn',
    code: code ?? '',
    message: `${message} (${code})`,
    fix:
      fix === null
        ? null
        : {
            title: fix.message ?? message,
            edits: fix.edits.map(({ content, location, end_location }) => ({
              span: spanOf(location, end_location),
              text: content ?? '',
            })),
          },
  }));
}

/** Ruff counts lines and columns from 1. */
function spanOf(from: Place, to: Place): LanguageFault['span'] {
  return {
    start: { line: from.row - 1, character: from.column - 1 },
    end: { line: to.row - 1, character: to.column - 1 },
  };
}
