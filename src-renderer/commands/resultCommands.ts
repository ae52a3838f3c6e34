/** Commands about the stored results of a cell: part of the command table (registry.ts). */

import { openPromoteDialog } from '../state/promoteDialog.ts';
import { COMPARE_WORDS } from '../words/compare.ts';
import { PROMOTE_WORDS } from '../words/promote.ts';
import type { Command } from './command.ts';
import { hasCode, onFocusedCell } from './conditions.ts';

export const RESULT_COMMANDS: readonly Command[] = [
  {
    id: 'result.compare',
    title: COMPARE_WORDS.command,
    keys: [],
    mode: 'any',
    group: 'view',
    menu: { cell: 4 },
    when: hasCode,
    run: onFocusedCell(({ session }, id) => session.compare(id)),
  },
  {
    id: 'result.promote',
    title: PROMOTE_WORDS.command,
    keys: [],
    mode: 'any',
    group: 'view',
    menu: { cell: 4 },
    when: ({ view }) => {
      const uris = view.focusedId === null ? undefined : view.model.cells[view.focusedId]?.cell.artifact_uris;
      return uris !== undefined && Object.keys(uris).length > 0 ? true : PROMOTE_WORDS.needsResult;
    },
    run: onFocusedCell((_context, id) => openPromoteDialog(id)),
  },
];
