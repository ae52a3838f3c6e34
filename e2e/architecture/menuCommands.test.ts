/** Checks that the page has every command that the native menus of the desktop app name. */

import { expect, it } from 'vitest';
import { COMMANDS } from '../../src-renderer/commands/registry.ts';
import { menuCommandIds } from '../../src-shared/shell/menu.ts';

it('[DK-10] every command of the native menus exists in the page', () => {
  const known = new Set(COMMANDS.map(({ id }) => id));
  const ids = menuCommandIds();
  expect(ids.length).toBeGreaterThan(8);
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
