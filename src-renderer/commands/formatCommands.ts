/** Commands that format the code of Python cells: part of the command table (registry.ts). */

import { factsOf } from '../../src-shared/notebook/languages/languages.ts';
import { cellName } from '../state/cellName.ts';
import { shownSource } from '../state/notebookStore.ts';
import { COMMAND_WORDS as W } from '../words/commands.ts';
import { LANGUAGE_WORDS } from '../words/language.ts';
import type { Command, CommandContext } from './command.ts';
import { selectedCells } from './conditions.ts';

function pythonCells({ view }: CommandContext, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => factsOf(view.model.cells[id]?.cell)?.hasServices);
}

/** Formats cells as one undo step; cells that are not Python stay unchanged. */
async function format({ session, view }: CommandContext, ids: readonly string[]): Promise<void> {
  const texts = new Map<string, string>();
  const unformatted: { readonly id: string; readonly why: string }[] = [];
  for (const id of ids) {
    const source = shownSource(view, id);
    const answer = await session.language.ask(id, { ask: 'format', source });
    const text = answer?.text ?? null;
    if (text === null) unformatted.push({ id, why: answer?.words ?? LANGUAGE_WORDS.unreachable });
    // The person kept typing while the formatter ran: do not overwrite it.
    else if (text !== source && shownSource(session.store.getState(), id) === source) texts.set(id, text);
  }
  // While a cell is edited, Ctrl+Z undoes changes of that cell only.
  if (texts.size > 1) session.focus(view.focusedId, 'command');
  if (texts.size > 0) await session.shape.writeSources(texts, 'format');
  const [first, ...more] = unformatted;
  if (first !== undefined) {
    const name = cellName(view.model, first.id);
    session.say(
      more.length === 0
        ? LANGUAGE_WORDS.notFormatted(name, first.why)
        : LANGUAGE_WORDS.notFormattedMore(unformatted.length),
    );
  } else if (texts.size === 0) session.say(LANGUAGE_WORDS.formattedAlready);
}

export const FORMAT_COMMANDS: readonly Command[] = [
  {
    id: 'cell.format',
    title: 'Format cell',
    keys: ['Alt+Shift+f'],
    mode: 'any',
    group: 'cell',
    menu: { cell: 2 },
    when: (context) => (pythonCells(context, selectedCells(context)).length > 0 ? true : W.needsPython),
    run: (context) => void format(context, pythonCells(context, selectedCells(context))),
  },
  {
    id: 'notebook.format',
    title: 'Format all cells',
    keys: [],
    mode: 'any',
    group: 'notebook',
    menu: { notebook: 1 },
    when: (context) => (pythonCells(context, context.view.model.order).length > 0 ? true : W.needsPython),
    run: (context) => void format(context, pythonCells(context, context.view.model.order)),
  },
];
