/**
 * Converts cells to and from clipboard contents: plain text with cells separated by `# %%`, as in other editors, and
 * JSON that keeps their languages. Pure; the page accesses the browser's clipboard.
 */

import * as z from 'zod';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { withoutPrompts } from '../../src-shared/notebook/promptText.ts';
import { splitScript } from '../../src-shared/notebook/splitScript.ts';
import { language } from '../../src-shared/wire/cell.ts';
import { CELL_LANGUAGES } from '../state/cellLanguages.ts';

const clipSchema = z.object({
  cells: z.array(z.object({ language, source: z.string() })).min(1),
  /** The text put on the clipboard. `cells` is pasted only while the clipboard still has this text. */
  text: z.string(),
});
type Clip = z.infer<typeof clipSchema>;
export type ClipCell = Clip['cells'][number];

/** The clipboard type of cells; the clipboard also has their plain text. */
export const CELLS_TYPE = 'application/x-cellar-cells+json';

const MARK = /^#[ \t]*%%(.*)$/;

export function clipOf(cells: readonly ClipCell[]): Clip {
  return { cells: [...cells], text: textOf(cells) };
}

/** One cell as its source only; several separated by `# %%` lines, with text as comments, as Jupytext writes them. */
function textOf(cells: readonly ClipCell[]): string {
  const [only] = cells;
  if (only !== undefined && cells.length === 1) return only.source;
  return cells.map((cell) => `${markOf(cell)}\n${asCode(cell)}`).join('\n\n');
}

function markOf({ language }: ClipCell): string {
  return CELL_LANGUAGES[language].isDefault ? '# %%' : `# %% [${language}]`;
}

function asCode({ language, source }: ClipCell): string {
  if (LANGUAGES[language].runs) return source;
  return source
    .split('\n')
    .map((line) => (line === '' ? '#' : `# ${line}`))
    .join('\n');
}

/** The cells in any text: one, or several if `# %%` lines divide it. Blank cells are left out. */
export function cellsOfText(text: string): readonly ClipCell[] {
  const cells: { language: ClipCell['language']; lines: string[] }[] = [{ language: 'python', lines: [] }];
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const mark = MARK.exec(line);
    if (mark === null) cells.at(-1)?.lines.push(line);
    else cells.push({ language: languageOf(mark[1] ?? ''), lines: [] });
  }
  return cells
    .map((cell) => ({ language: cell.language, source: sourceOf(cell) }))
    .filter((cell) => cell.source.trim() !== '');
}

/** The cells into which a Python text can be split: at `# %%` lines, otherwise its top-level blocks. */
export function blocksOf(source: string): readonly ClipCell[] {
  const marked = cellsOfText(source);
  if (marked.length > 1) return marked;
  return splitScript(source)
    .map((block) => ({
      language: 'python' as const,
      source: sourceOf({ language: 'python', lines: block.split(/\r\n|\r|\n/) }),
    }))
    .filter((cell) => cell.source !== '');
}

/** From this many blocks on, a text without `# %%` lines is offered as several cells. */
const SEVERAL = 3;

/** Whether a text that was pasted into one cell should be offered as several. */
export function isScript(source: string): boolean {
  return cellsOfText(source).length > 1 || blocksOf(source).length >= SEVERAL;
}

function languageOf(mark: string): ClipCell['language'] {
  const languageName = /\[(\w+)\]/.exec(mark)?.[1]?.toLowerCase();
  const parsed = language.safeParse(languageName === 'md' ? 'markdown' : languageName);
  return parsed.success ? parsed.data : 'python';
}

function sourceOf(cell: {
  readonly language: ClipCell['language'];
  readonly lines: readonly string[];
}): string {
  const lines = [...cell.lines];
  while (lines[0]?.trim() === '') lines.shift();
  while (lines.at(-1)?.trim() === '') lines.pop();
  const isCommented =
    !LANGUAGES[cell.language].runs && lines.every((line) => line.trim() === '' || line.startsWith('#'));
  return lines.map((line) => (isCommented ? line.replace(/^# ?/, '') : line)).join('\n');
}

/** What to paste: the cells that belong to the text, or the text itself. */
export function cellsToPaste(clipboard: { readonly text: string | null; readonly clip: Clip | null }) {
  const { text, clip } = clipboard;
  if (clip !== null && (text === null || sameText(text, clip.text))) return clip.cells;
  return text === null ? [] : cellsOfText(withoutPrompts(text) ?? text);
}

/** Compares without regard to line endings, which the clipboards of some systems change. */
function sameText(a: string, b: string): boolean {
  return a.replace(/\r\n?/g, '\n') === b.replace(/\r\n?/g, '\n');
}

export function parseClip(json: string | null): Clip | null {
  if (json === null || json === '') return null;
  try {
    const parsed = clipSchema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  } catch (_notJson) {
    return null;
  }
}
