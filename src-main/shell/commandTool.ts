/** Installs and removes the command `svc` of the desktop app for its user. */

import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, posix, win32 } from 'node:path';

/** The line that identifies a file as written by Cellar. */
const MARK = 'Written by Cellar: "Install command-line tool" in its Help menu replaces or removes it.';

export interface CommandToolPlace {
  readonly platform: 'linux' | 'darwin' | 'win32';
  readonly arch: string;
  readonly home: string;
  /** The `resources` folder of the installed app. */
  readonly resources: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The command `svc` of an installed app: a small script in a folder of the user. */
export interface CommandTool {
  /** The path of the script. */
  readonly path: string;
  readonly text: string;
  /** Why it cannot be installed; null if it can. */
  readonly problem: string | null;
  /** How to make the shell find it; null if it already does. */
  readonly pathHint: string | null;
}

/** The command for this app and this user. No I/O. */
export function commandTool(place: CommandToolPlace): CommandTool {
  const { platform, env } = place;
  const paths = platform === 'win32' ? win32 : posix;
  const bin = binFolder(place);
  const path = paths.join(bin, platform === 'win32' ? 'svc.cmd' : 'svc');
  return {
    path,
    text: platform === 'win32' ? batchFile(place) : shellScript(place),
    problem:
      env['APPIMAGE'] === undefined
        ? null
        : 'This Cellar is an AppImage, whose files are only there while it runs. Install the .deb, or unpack the .tar.gz, for a command-line tool.',
    pathHint: isOnPath(bin, place) ? null : pathHint(bin, platform),
  };
}

type ToolState = 'absent' | 'ours' | 'foreign';

/** Whether the command exists, and whether Cellar wrote it. */
export function commandToolState({ path }: Pick<CommandTool, 'path'>): ToolState {
  try {
    if (!lstatSync(path).isFile()) return 'foreign';
    return readFileSync(path, 'utf8').includes(MARK) ? 'ours' : 'foreign';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'absent';
    throw error;
  }
}

/** Installs the command. @throws Error with instructions if it cannot be installed */
export function installCommandTool(tool: CommandTool): void {
  if (tool.problem !== null) throw new Error(tool.problem);
  refuseForeign(tool);
  const paths = tool.path.includes('\\') ? win32 : posix;
  mkdirSync(paths.dirname(tool.path), { recursive: true });
  const written = `${tool.path}.${process.pid}.new`;
  writeFileSync(written, tool.text, { mode: 0o755, flag: 'wx' });
  // The mode above is reduced by the user's umask.
  chmodSync(written, 0o755);
  renameSync(written, tool.path);
}

/** Removes the command. @throws Error if it is not Cellar's */
export function removeCommandTool(tool: Pick<CommandTool, 'path'>): void {
  refuseForeign(tool);
  rmSync(tool.path, { force: true });
}

function refuseForeign(tool: Pick<CommandTool, 'path'>): void {
  if (commandToolState(tool) === 'foreign')
    throw new Error(`${tool.path} exists and was not installed by Cellar. Move or delete it first.`);
}

function binFolder({ platform, home, env }: CommandToolPlace): string {
  if (platform !== 'win32') return posix.join(home, '.local', 'bin');
  return win32.join(env['LOCALAPPDATA'] ?? win32.join(home, 'AppData', 'Local'), 'Cellar', 'bin');
}

function isOnPath(bin: string, { platform, env }: CommandToolPlace): boolean {
  const separator = platform === 'win32' ? ';' : platform === process.platform ? delimiter : ':';
  const entries = (env['PATH'] ?? env['Path'] ?? '').split(separator);
  const same = (entry: string): string =>
    platform === 'win32' ? entry.replace(/\\+$/, '').toLowerCase() : entry.replace(/\/+$/, '');
  return entries.some((entry) => same(entry) === same(bin));
}

function pathHint(bin: string, platform: CommandToolPlace['platform']): string {
  if (platform === 'win32') {
    return `Add ${bin} to the variable Path of your account (Settings > System > About > Advanced system settings > Environment variables), then open a new terminal.`;
  }
  const file = platform === 'darwin' ? '~/.zprofile' : '~/.profile';
  return `Add this line to ${file}, then open a new terminal:\nexport PATH="$HOME/.local/bin:$PATH"`;
}

/** Quotes any text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

function shellScript({ resources, platform, arch }: CommandToolPlace): string {
  return `#!/bin/sh
# ${MARK}
server=${quoted(posix.join(resources, 'server'))}
uv=${quoted(posix.join(resources, 'uv', `${platform}-${arch}`, 'uv'))}
node="\${SVC_NODE:-node}"
if [ ! -f "$server/svc.mjs" ]; then
  echo "svc: Cellar is no longer in $server. Install this command again from its Help menu, or delete $0." >&2
  exit 2
fi
if ! command -v "$node" >/dev/null 2>&1; then
  echo "svc: $node was not found. Install Node 22.14 or newer, or name its program in SVC_NODE." >&2
  exit 2
fi
if [ -z "\${SVC_UV:-}" ] && [ -x "$uv" ]; then
  export SVC_UV="$uv"
fi
exec "$node" "$server/svc.mjs" "$@"
`;
}

/**
 * A path in a batch file: a percent sign is doubled; the user's folder is written as a variable, because the file's
 * encoding is unknown.
 */
function batchPath(path: string, env: CommandToolPlace['env']): string {
  const local = env['LOCALAPPDATA'];
  const inside = local !== undefined && path.toLowerCase().startsWith(`${local.toLowerCase()}\\`);
  const rest = (inside ? path.slice(local.length) : path).replace(/%/g, '%%');
  return inside ? `%LOCALAPPDATA%${rest}` : rest;
}

function batchFile({ resources, arch, env }: CommandToolPlace): string {
  const server = batchPath(win32.join(resources, 'server'), env);
  const uv = batchPath(win32.join(resources, 'uv', `win32-${arch}`, 'uv.exe'), env);
  return [
    '@echo off',
    `rem ${MARK}`,
    'setlocal',
    `set "CELLAR_SERVER=${server}"`,
    `set "CELLAR_UV=${uv}"`,
    'if not defined SVC_NODE set "SVC_NODE=node"',
    'if not exist "%CELLAR_SERVER%\\svc.mjs" (',
    '  echo svc: Cellar is no longer in "%CELLAR_SERVER%". Install this command again from its Help menu, or delete "%~f0". 1>&2',
    '  exit /b 2',
    ')',
    'where "%SVC_NODE%" >nul 2>nul || if not exist "%SVC_NODE%" (',
    '  echo svc: "%SVC_NODE%" was not found. Install Node 22.14 or newer, or name its program in SVC_NODE. 1>&2',
    '  exit /b 2',
    ')',
    'if not defined SVC_UV if exist "%CELLAR_UV%" set "SVC_UV=%CELLAR_UV%"',
    '"%SVC_NODE%" "%CELLAR_SERVER%\\svc.mjs" %*',
    'exit /b %ERRORLEVEL%',
    '',
  ].join('\r\n');
}
