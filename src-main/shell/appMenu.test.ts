import { expect, it } from 'vitest';
import { menuTemplate } from './appMenu.ts';

function stage(platform: 'linux' | 'darwin' | 'win32', packaged = true) {
  const done: string[] = [];
  const template = menuTemplate({ platform, packaged }, [{ path: '/n/a', name: 'Salt & pepper' }], {
    command: (id) => void done.push(`command ${id}`),
    action: (name) => void done.push(`action ${name}`),
    openRecent: (path) => void done.push(`open ${path}`),
    clearRecents: () => void done.push('clear'),
  });
  const items = template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  const click = (item: (typeof items)[number] | undefined): void =>
    // Electron passes itself; our handlers ignore it.
    (item?.click as unknown as (() => void) | undefined)?.();
  return { done, template, items, click };
}

it.each([
  ['linux', ['File', 'Edit', 'Run', 'View', 'Window', 'Help'], 'File'],
  ['win32', ['File', 'Edit', 'Run', 'View', 'Window', 'Help'], 'File'],
  ['darwin', ['Cellar', 'File', 'Edit', 'Run', 'View', 'Window', 'Help'], 'Cellar'],
] as const)('[DK-10] the menus of %s, with Quit in its usual menu', (platform, labels, quitIn) => {
  const { template } = stage(platform);
  expect(template.map(({ label }) => label)).toEqual(labels);
  const withQuit = template.filter(
    ({ submenu }) => Array.isArray(submenu) && submenu.some(({ role }) => role === 'quit'),
  );
  expect(withQuit.map(({ label }) => label)).toEqual([quitIn]);
});

it('[DK-10] commands go to the page, actions to the shell, recents to their folder', () => {
  const { items, done, click } = stage('linux');
  click(items.find(({ id }) => id === 'run.all'));
  click(items.find(({ id }) => id === 'newWindow'));
  click(items.find(({ id }) => id === 'newNotebook'));
  const recents = items.find(({ id }) => id === 'recents')?.submenu;
  const entries = Array.isArray(recents) ? recents : [];
  expect(entries.map(({ label }) => label)).toEqual(['Salt && pepper', undefined, 'Clear list']);
  click(entries[0]);
  click(entries[2]);
  expect(done).toEqual(['command run.all', 'action newWindow', 'action newNotebook', 'open /n/a', 'clear']);
});

it('[DK-10] shortcuts that the page handles are shown but not registered, except on macOS, where the menu handles them', () => {
  const isRegistered = (platform: 'linux' | 'darwin') =>
    stage(platform).items.find(({ id }) => id === 'cell.run')?.registerAccelerator;
  expect([isRegistered('linux'), isRegistered('darwin')]).toEqual([false, true]);
});

it('[DK-10] the developer’s tools exist only in checkouts', () => {
  const has = (packaged: boolean) =>
    stage('linux', packaged).items.some(({ role }) => role === 'toggleDevTools');
  expect([has(true), has(false)]).toEqual([false, true]);
});
