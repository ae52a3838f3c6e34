/** Commands of the window that concern the AI assistant: part of the command table (registry.ts). */

import { askToExplainFault, askToFixError } from '../live/assistant/preparedQuestions.ts';
import { RestError } from '../live/rest.ts';
import { faultsOf } from '../state/faults.ts';
import { isShown, layoutStore } from '../state/layout.ts';
import { shownError } from '../state/shownError.ts';
import { toast } from '../ui/toastStore.ts';
import { ASK_WORDS } from '../words/ask.ts';
import { ASSISTANT_WORDS as W } from '../words/assistant.ts';
import { CHANGES_WORDS } from '../words/changes.ts';
import type { Command } from './command.ts';
import { firstObstacle, hasFocus, onFocusedCell } from './conditions.ts';

const isTrusted: NonNullable<Command['when']> = ({ view }) =>
  view.model.meta?.untrusted === undefined ? true : W.needsTrust;

export const ASSISTANT_COMMANDS: readonly Command[] = [
  {
    id: 'view.assistant',
    title: 'Assistant',
    keys: ['Mod+Shift+a'],
    mode: 'any',
    group: 'view',
    menu: { notebook: 3 },
    submenu: 'Panels',
    run: ({ session }) => {
      const layout = layoutStore.getState();
      layout.togglePanel('assistant');
      if (isShown(layoutStore.getState(), 'assistant')) session.assistant.focus();
    },
  },
  {
    id: 'assistant.ask',
    title: ASK_WORDS.command,
    keys: ['Mod+k'],
    mode: 'any',
    group: 'cell',
    menu: { cell: 2 },
    when: firstObstacle(hasFocus, isTrusted),
    run: onFocusedCell(({ session }, cellId) => session.ask.open(cellId)),
  },
  {
    id: 'assistant.fix',
    title: 'Fix error with the assistant',
    keys: [],
    mode: 'any',
    group: 'cell',
    when: firstObstacle(hasFocus, isTrusted, ({ view }) => {
      const cell = view.model.cells[view.focusedId ?? '']?.cell;
      return cell !== undefined && shownError(cell) !== null ? true : W.needsError;
    }),
    run: onFocusedCell(({ session, view }, cellId) => {
      const cell = view.model.cells[cellId]?.cell;
      const error = cell === undefined ? null : shownError(cell);
      if (error !== null) askToFixError(session, cellId, error.text);
    }),
  },
  {
    id: 'assistant.explain',
    title: 'Explain problem with the assistant',
    keys: [],
    mode: 'any',
    group: 'cell',
    when: firstObstacle(hasFocus, isTrusted, ({ view }) => {
      const cell = view.model.cells[view.focusedId ?? '']?.cell;
      return cell !== undefined && faultsOf(cell).length > 0 ? true : W.needsFault;
    }),
    run: onFocusedCell(({ session, view }, cellId) => {
      const cell = view.model.cells[cellId]?.cell;
      const fault = cell === undefined ? undefined : faultsOf(cell)[0];
      if (fault !== undefined) askToExplainFault(session, cellId, fault);
    }),
  },
  {
    id: 'assistant.changes',
    title: CHANGES_WORDS.command,
    keys: [],
    mode: 'any',
    group: 'view',
    when: isTrusted,
    run: ({ session }) => {
      layoutStore.getState().showPanel('assistant');
      session.assistant.show('changes');
    },
  },
  {
    id: 'assistant.follow',
    title: CHANGES_WORDS.followCommand,
    keys: [],
    mode: 'any',
    group: 'view',
    run: ({ session }) => session.assistant.setFollow(!session.assistant.store.getState().follow),
  },
  {
    id: 'assistant.stop',
    title: 'Stop the assistant',
    keys: [],
    mode: 'any',
    group: 'run',
    when: ({ session }) => (session.assistant.isBusy() ? true : W.nothingRuns),
    run: ({ session }) => session.assistant.stop(),
  },
  {
    id: 'assistant.new',
    title: 'New conversation with the assistant',
    keys: [],
    mode: 'any',
    group: 'view',
    when: isTrusted,
    run: ({ session }) => {
      layoutStore.getState().showPanel('assistant');
      session.assistant.reset().catch((error: unknown) => {
        if (!(error instanceof RestError)) throw error;
        toast(error.message, { tone: 'error' });
      });
    },
  },
];
