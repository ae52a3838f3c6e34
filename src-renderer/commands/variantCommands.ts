/** Commands about variants, cells that are alternatives of one group: part of the command table (registry.ts). */

import type { VariantGroup } from '../../src-shared/wire/cell.ts';
import { groupOf, groupsOf } from '../state/variants.ts';
import { VARIANT_WORDS } from '../words/variants.ts';
import type { Command, CommandContext } from './command.ts';
import { firstObstacle, hasFocus } from './conditions.ts';

const W = VARIANT_WORDS.commands;

type When = NonNullable<Command['when']>;

function focusedGroup({ view }: CommandContext): VariantGroup | null {
  return view.focusedId === null ? null : groupOf(view, view.focusedId);
}

const isVariant: When = (context) => (focusedGroup(context) === null ? VARIANT_WORDS.needsVariant : true);

/** A command about the group of the focused cell. */
function onGroup(
  act: (context: CommandContext, group: VariantGroup, cellId: string) => void,
): Command['run'] {
  return (context) => {
    const group = focusedGroup(context);
    const { focusedId } = context.view;
    if (group !== null && focusedId !== null) act(context, group, focusedId);
  };
}

/** Focuses the previous or next member of the group; in switch mode, that member also becomes the active one. */
function step(by: 1 | -1): Command['run'] {
  return onGroup(({ session }, group, cellId) => {
    const at = group.members.findIndex(({ cell_id }) => cell_id === cellId);
    const { length } = group.members;
    const next = group.members[(at + by + length) % length];
    if (next === undefined) return;
    session.focus(next.cell_id, 'command');
    if (group.mode === 'switch' && next.cell_id !== group.active_cell_id)
      void session.shape.chooseVariant(group, { active: next.name });
  });
}

function mode(wantedMode: 'switch' | 'sweep', id: string, title: string): Command {
  return {
    id,
    title,
    keys: [],
    mode: 'any',
    group: 'cell',
    menu: { cell: 3 },
    submenu: W.submenu,
    when: firstObstacle(isVariant, (context) =>
      focusedGroup(context)?.mode === wantedMode ? VARIANT_WORDS.isThat : true,
    ),
    run: onGroup(({ session }, group) => void session.shape.chooseVariant(group, { mode: wantedMode })),
  };
}

const IN_MENU = { mode: 'any', group: 'cell', menu: { cell: 3 }, submenu: W.submenu } as const;

export const VARIANT_COMMANDS: readonly Command[] = [
  {
    ...IN_MENU,
    id: 'variant.begin',
    title: W.begin,
    keys: [],
    when: firstObstacle(hasFocus, (context) =>
      focusedGroup(context) === null ? true : VARIANT_WORDS.isVariant,
    ),
    run: ({ session, view }) => {
      const { focusedId } = view;
      if (focusedId !== null) void session.shape.beginVariants(focusedId, freeGroupName(view, focusedId));
    },
  },
  {
    ...IN_MENU,
    id: 'variant.add',
    title: W.add,
    keys: [],
    when: isVariant,
    run: onGroup(({ session }, group) => void session.shape.addVariant(group)),
  },
  {
    ...IN_MENU,
    mode: 'command',
    id: 'variant.next',
    title: W.next,
    keys: ['Alt+ArrowRight'],
    when: isVariant,
    run: step(1),
  },
  {
    ...IN_MENU,
    mode: 'command',
    id: 'variant.previous',
    title: W.previous,
    keys: ['Alt+ArrowLeft'],
    when: isVariant,
    run: step(-1),
  },
  {
    ...IN_MENU,
    id: 'variant.activate',
    title: W.activate,
    keys: [],
    when: firstObstacle(isVariant, ({ view }) => {
      const group = view.focusedId === null ? null : groupOf(view, view.focusedId);
      return group?.mode === 'sweep' || group?.active_cell_id === view.focusedId
        ? VARIANT_WORDS.isActive
        : true;
    }),
    run: onGroup(({ session }, group, cellId) => {
      const member = group.members.find(({ cell_id }) => cell_id === cellId);
      if (member !== undefined) void session.shape.chooseVariant(group, { active: member.name });
    }),
  },
  mode('sweep', 'variant.sweep', W.sweep),
  mode('switch', 'variant.switch', W.switch),
  {
    ...IN_MENU,
    id: 'variant.rename',
    title: W.rename,
    keys: [],
    when: isVariant,
    run: onGroup(({ session }, _group, cellId) => session.nameVariant(cellId)),
  },
  {
    ...IN_MENU,
    mode: 'command',
    id: 'variant.moveLeft',
    title: W.moveLeft,
    keys: ['Alt+Shift+ArrowLeft'],
    when: isVariant,
    run: onGroup(({ session }, _group, cellId) => void session.shape.moveVariant(cellId, -1)),
  },
  {
    ...IN_MENU,
    mode: 'command',
    id: 'variant.moveRight',
    title: W.moveRight,
    keys: ['Alt+Shift+ArrowRight'],
    when: isVariant,
    run: onGroup(({ session }, _group, cellId) => void session.shape.moveVariant(cellId, 1)),
  },
];

/** A name for a new group: the first name that the cell defines, with a number if another group has that name. */
function freeGroupName(view: CommandContext['view'], cellId: string): string {
  const base = view.model.cells[cellId]?.cell.defines[0] ?? 'choice';
  const usedNames = new Set(groupsOf(view).map(({ group }) => group));
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? base : `${base}${at}`;
    if (!usedNames.has(name)) return name;
  }
}
