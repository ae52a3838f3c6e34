import { COMPARE_WORDS } from '../words/compare.ts';
import type { Command } from './command.ts';
import { hasCode, onFocused } from './when.ts';

export const RESULT_COMMANDS: readonly Command[] = [
  {
    id: 'result.compare',
    title: COMPARE_WORDS.command,
    keys: [],
    mode: 'any',
    group: 'view',
    menu: { cell: 4 },
    when: hasCode,
    run: onFocused(({ session }, id) => session.compare(id)),
  },
];
