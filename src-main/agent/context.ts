/** Describes a notebook (its packages and cells) as text, for requests of the assistant to a model. */

import type { Cell } from '../../src-shared/wire/cell.ts';
import type { AgentViews } from './agentNotebook.ts';
import { headOf } from './hide.ts';

/** One token is about this many characters. */
export const CHARACTERS_PER_TOKEN = 4;

/** A part of the notebook's description: the package list or one cell. */
export interface ContextPart {
  readonly kind: 'packages' | 'cell';
  readonly cell: Cell | null;
  /** The text to send: secrets hidden, truncated at the limit; '' if the limit left no room. */
  readonly text: string;
  readonly isCut: boolean;
  /** Number of replaced secret values. */
  readonly hidden: number;
}

interface ContextOptions {
  /** Maximum characters of all parts together. */
  readonly limit: number;
  /** Cells that are not sent. */
  readonly leaveOut: ReadonlySet<string>;
}

/**
 * The description of a notebook for a model (docs/spec/prompts-and-ai.md, 6): the declared packages, then each cell
 * with a header and its source. No outputs, statuses or variables.
 */
export function contextOf(
  notebook: { readonly views: Pick<AgentViews, 'cells' | 'environment' | 'notebook'> },
  { limit, leaveOut }: ContextOptions,
): readonly ContextPart[] {
  const redactor = notebook.views.notebook.redactor();
  let room = limit;
  const part = (kind: ContextPart['kind'], cell: Cell | null, written: string): ContextPart => {
    const redactedText = redactor.text(written);
    const text = room <= 0 ? '' : headOf(redactedText, room);
    room -= text.length + 1;
    return { kind, cell, text, isCut: text !== redactedText, hidden: hiddenIn(written, redactedText) };
  };
  const { dependencies } = notebook.views.environment.payload();
  const names = dependencies.map(({ name, specifier }) => `${name}${specifier ?? ''}`);
  return [
    part('packages', null, `Packages: ${names.length === 0 ? 'none' : names.join(', ')}`),
    ...notebook.views.cells
      .all()
      .filter(({ id }) => !leaveOut.has(id))
      .map((cell) => part('cell', cell, cellText(cell))),
  ];
}

/** The text of a cell in the description. */
function cellText(cell: Cell): string {
  const { id, language, defines, references, source } = cell;
  const name = cell.annotations.name;
  const facts = [
    `${language}${cell.variant_active ? '' : ', inactive variant'}`,
    ...(name === null || name === undefined ? [] : [`name: ${name}`]),
    `defines: ${defines.join(', ') || '-'}`,
    `uses: ${references.join(', ') || '-'}`,
  ];
  return `## cell ${id} (${facts.join('; ')})\n${source}`;
}

/** The parts as one text, with a note about what was left out. */
export function contextText(parts: readonly ContextPart[]): string {
  const texts = parts.flatMap(({ text }) => (text === '' ? [] : [text]));
  const missing = parts.filter(({ isCut }) => isCut).length;
  if (missing > 0) texts.push(`(The limit was reached: ${missing} parts are cut or missing.)`);
  return texts.join('\n\n');
}

function hiddenIn(written: string, redactedText: string): number {
  return written === redactedText ? 0 : Math.max(1, countOf(redactedText) - countOf(written));
}

function countOf(text: string): number {
  return text.split('[hidden]').length - 1;
}
