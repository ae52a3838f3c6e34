import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandTool } from './commandTool.ts';
import { offerCommandTool } from './offerCommandTool.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cellar-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Clicks the buttons by their labels; returns the texts of the dialogs. */
async function clicking(env: Readonly<Record<string, string>>, ...labels: readonly string[]) {
  const messages: string[] = [];
  const clicks = [...labels];
  const tool = commandTool({ platform: 'linux', arch: 'x64', home, resources: join(home, 'resources'), env });
  await offerCommandTool(
    {
      // Electron's own type has a form with a window before the options, which is not used here.
      showMessageBox: (async (options: Electron.MessageBoxOptions) => {
        messages.push(`${options.message}\n${options.detail}`);
        const response = (options.buttons ?? []).indexOf(clicks.shift() ?? 'OK');
        expect(response).toBeGreaterThanOrEqual(0);
        return { response, checkboxChecked: false };
      }) as Electron.Dialog['showMessageBox'],
    },
    tool,
  );
  return { said: messages, tool };
}

test('[CL-62] the menu installs the command, shows its path and what to add to PATH, and removes it', async () => {
  const installed = await clicking({ PATH: '/bin' }, 'Install');
  expect(existsSync(installed.tool.path)).toBe(true);
  expect(installed.said.at(-1)).toContain(join(home, '.local/bin/svc'));
  expect(installed.said.at(-1)).toContain('export PATH=');
  const onPath = await clicking({ PATH: join(home, '.local/bin') }, 'Install again');
  expect(onPath.said.at(-1)).toContain('svc --help');
  await clicking({}, 'Cancel');
  expect(existsSync(installed.tool.path)).toBe(true);
  const removed = await clicking({}, 'Remove');
  expect(existsSync(installed.tool.path)).toBe(false);
  expect(removed.said.at(-1)).toContain('removed');
});

test('[CL-62] the reason why the command cannot be installed is shown', async () => {
  mkdirSync(join(home, '.local/bin'), { recursive: true });
  writeFileSync(join(home, '.local/bin/svc'), 'mine');
  expect((await clicking({}, 'Install')).said.at(-1)).toContain('was not installed by Cellar');
  expect((await clicking({ APPIMAGE: '/c' })).said).toEqual([expect.stringContaining('AppImage')]);
});
