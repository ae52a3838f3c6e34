import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import {
  type CommandToolPlace,
  commandTool,
  commandToolState,
  installCommandTool,
  removeCommandTool,
} from './commandTool.ts';

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** A user with an installed app, whose `svc.mjs` prints its arguments. */
function user(env: CommandToolPlace['env'] = {}, platform: CommandToolPlace['platform'] = 'linux') {
  const home = mkdtempSync(join(tmpdir(), 'cellar-home-'));
  homes.push(home);
  const resources = join(home, `it's "here" $HOME`, 'resources');
  mkdirSync(join(resources, 'server'), { recursive: true });
  const program =
    'console.log(JSON.stringify([process.argv.slice(2), process.env.SVC_UV ?? null]));process.exit(3)';
  writeFileSync(join(resources, 'server/svc.mjs'), program);
  const place: CommandToolPlace = { platform, arch: 'x64', home, resources, env };
  return { home, resources, place, tool: commandTool(place) };
}

describe.runIf(process.platform !== 'win32')('[CL-62] the command of an installed app', () => {
  it('is in a folder of the user, runs the app’s own server with its uv, and passes arguments and exit code', () => {
    const { home, resources, tool } = user();
    const uv = join(resources, 'uv/linux-x64/uv');
    mkdirSync(join(uv, '..'), { recursive: true });
    writeFileSync(uv, '#!/bin/sh\n', { mode: 0o755 });
    installCommandTool(tool);
    expect(tool.path).toBe(join(home, '.local/bin/svc'));
    expect(statSync(tool.path).mode & 0o777).toBe(0o755);
    const env = { PATH: process.env['PATH'], SVC_NODE: process.execPath };
    const ran = spawnSync(tool.path, ['run', 'a b', '$c'], { env, encoding: 'utf8' });
    expect([JSON.parse(ran.stdout), ran.status]).toEqual([[['run', 'a b', '$c'], uv], 3]);
    const own = spawnSync(tool.path, [], { env: { ...env, SVC_UV: '/mine' }, encoding: 'utf8' });
    expect(JSON.parse(own.stdout)).toEqual([[], '/mine']);
  });

  it('prints instructions if Node or the app is missing', () => {
    const { resources, tool } = user();
    installCommandTool(tool);
    const run = (SVC_NODE: string) =>
      spawnSync(tool.path, ['run'], { env: { PATH: process.env['PATH'], SVC_NODE }, encoding: 'utf8' });
    expect(run('/no/node')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Install Node 22.14 or newer'),
    });
    rmSync(join(resources, 'server'), { recursive: true });
    expect(run(process.execPath)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Install this command again'),
    });
  });

  it('is replaced and removed only where Cellar wrote it', () => {
    const { tool } = user();
    expect(commandToolState(tool)).toBe('absent');
    installCommandTool(tool);
    installCommandTool(tool);
    expect(commandToolState(tool)).toBe('ours');
    removeCommandTool(tool);
    removeCommandTool(tool);
    expect(existsSync(tool.path)).toBe(false);
    writeFileSync(tool.path, '#!/bin/sh\necho mine\n');
    for (const change of [installCommandTool, removeCommandTool])
      expect(() => change(tool)).toThrow('exists and was not installed by Cellar');
    expect(readFileSync(tool.path, 'utf8')).toContain('mine');
    rmSync(tool.path);
    symlinkSync('/bin/sh', tool.path);
    expect(() => removeCommandTool(tool)).toThrow('was not installed by Cellar');
  });

  it('is plain sh', () => {
    execFileSync('sh', ['-n'], { input: user().tool.text });
  });
});

const hints: Readonly<
  Record<string, { readonly place: Partial<CommandToolPlace>; readonly says: RegExp | null }>
> = {
  'linux, on the path': { place: { env: { PATH: '/bin:/u/.local/bin/' } }, says: null },
  linux: { place: { env: { PATH: '/bin' } }, says: /~\/\.profile.*\n.*\.local\/bin/ },
  mac: { place: { platform: 'darwin', env: { PATH: '/bin' } }, says: /~\/\.zprofile/ },
  'windows, on the path': {
    place: { platform: 'win32', env: { LOCALAPPDATA: 'C:\\U\\L', Path: 'C:\\x;c:\\u\\l\\cellar\\BIN\\' } },
    says: null,
  },
  windows: {
    place: { platform: 'win32', env: { LOCALAPPDATA: 'C:\\U\\L', Path: 'C:\\x' } },
    says: /Add C:\\U\\L\\Cellar\\bin to the variable Path/,
  },
};

test.each(Object.entries(hints))('[CL-62] what to add to PATH: %s', (_name, { place, says }) => {
  const base: CommandToolPlace = {
    platform: 'linux',
    arch: 'x64',
    home: '/u',
    resources: '/opt/Cellar/resources',
    env: {},
  };
  const { pathHint } = commandTool({ ...base, ...place });
  if (says === null) expect(pathHint).toBeNull();
  else expect(pathHint).toMatch(says);
});

test('[CL-62] on Windows it is a .cmd file that names folders of the user by their variable', () => {
  const place: CommandToolPlace = {
    platform: 'win32',
    arch: 'x64',
    home: 'C:\\Users\\Zoë',
    resources: 'C:\\Users\\Zoë\\AppData\\Local\\Programs\\100%\\resources',
    env: { LOCALAPPDATA: 'C:\\Users\\Zoë\\AppData\\Local' },
  };
  const { path, text } = commandTool(place);
  expect(path).toBe('C:\\Users\\Zoë\\AppData\\Local\\Cellar\\bin\\svc.cmd');
  const lines = text.split('\r\n');
  expect(lines[0]).toBe('@echo off');
  expect(lines).toContain('set "CELLAR_SERVER=%LOCALAPPDATA%\\Programs\\100%%\\resources\\server"');
  expect(lines).toContain('"%SVC_NODE%" "%CELLAR_SERVER%\\svc.mjs" %*');
  expect(text).toMatch(/^[\x20-\x7e\r\n]*$/);
});

test('[CL-62] an AppImage has no permanent files to run, and the command is refused', () => {
  const { tool } = user({ APPIMAGE: '/home/u/Cellar.AppImage' });
  expect(() => installCommandTool(tool)).toThrow(/AppImage.*\.tar\.gz/);
  expect(commandToolState(tool)).toBe('absent');
});
