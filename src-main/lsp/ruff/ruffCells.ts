import type { LanguageFault } from '../../../src-shared/wire/routes/language.ts';
import { type Ruff, RuffRefused } from './ruffThread.ts';

type Formatted = { readonly text: string } | { readonly problem: string };

/** A cell's text as ruff writes it, without the line feed that ends a file; a `;` at the end stays, it hides the value. */
export async function formatCell(ruff: Ruff, source: string): Promise<Formatted> {
  if (source.trim() === '') return { text: source };
  try {
    const formatted = await ruff.ask('format', source);
    if (typeof formatted !== 'string') return { problem: 'Ruff gave no text.' };
    const text = formatted.replace(/(\r\n|\n|\r)+$/, '');
    const isHidden = /;\s*$/.test(source) && !text.endsWith(';');
    return { text: isHidden ? `${text};` : text };
  } catch (error) {
    if (!(error instanceof RuffRefused)) throw error;
    return { problem: error.message.replace(/ at byte range \S+$/, '') };
  }
}

interface Place {
  readonly row: number;
  readonly column: number;
}
/** What ruff's own types call a diagnostic. */
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

/** Likely mistakes in a cell's text; none where it cannot be read, which the notebook says itself. */
export async function lintCell(ruff: Ruff, source: string): Promise<LanguageFault[]> {
  if (source.trim() === '') return [];
  let findings: readonly Found[];
  try {
    findings = (await ruff.ask('check', source)) as readonly Found[]; // as its types have it
  } catch (error) {
    if (!(error instanceof RuffRefused)) throw error;
    return [];
  }
  // A text that cannot be read has findings without a rule.
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

/** Ruff counts both from 1. */
function spanOf(from: Place, to: Place): LanguageFault['span'] {
  return {
    start: { line: from.row - 1, character: from.column - 1 },
    end: { line: to.row - 1, character: to.column - 1 },
  };
}
