/** Finds the Python interpreters of this machine that notebooks can run on. */

import { open, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { captureTool } from './runTool.ts';

/** A Python interpreter on this machine. */
export interface Python {
  /** Absolute, without symbolic links or a version manager's shim. */
  readonly path: string;
  /** The full version, such as `3.12.1`. */
  readonly version: string;
  /** The minor version, such as `3.12`, which is what a notebook requests. */
  readonly minor: string;
}

/** The oldest minor version that cells can run on. */
const LOWEST_MINOR = 10;
const NEWEST_MINOR_ASKED = 19;
const PROBE =
  'import sys; print(sys.implementation.name, sys.version_info.releaselevel, *sys.version_info[:3])';
const PROBE_TIMEOUT_MS = 5_000;

/** Probe results by real path: an interpreter's version does not change unless its file gets another name or time. */
const probes = new Map<string, Promise<Python | null>>();

/**
 * The CPythons ≥ 3.10 on the PATH, from pyenv and uv, and in folders of installers: one per minor version, the first in
 * that order, newest minor first (docs/spec/rest-notebooks.md, 2.9 `available_python_versions`). Released versions
 * only. Starts each new file once (about 10 ms, all at the same time); later calls only list folders.
 */
export async function findPythons(env: NodeJS.ProcessEnv = process.env): Promise<readonly Python[]> {
  const files = await candidates(env);
  const pythons = await Promise.all(files.map((path) => probePython(path, env)));
  const byMinor = new Map<string, Python>();
  for (const python of pythons) {
    if (python !== null && !byMinor.has(python.minor)) byMinor.set(python.minor, python);
  }
  return [...byMinor.values()].sort((a, b) => minorNumber(b.minor) - minorNumber(a.minor));
}

/**
 * The minor versions in the names of this machine's interpreters, newest first, for when no program may be started.
 * Names may be wrong, and a Python without a number in its name is not included.
 */
export async function namedMinors(env: NodeJS.ProcessEnv = process.env): Promise<readonly string[]> {
  const minors = (await candidates(env)).flatMap((path) => {
    const number = /^python3\.(\d+)(?:\.exe)?$/.exec(basename(path))?.[1];
    const ofFolder = /^Python3(\d+)$/.exec(basename(dirname(path)))?.[1];
    const value = Number(number ?? ofFolder ?? 0);
    return value < LOWEST_MINOR ? [] : [`3.${value}`];
  });
  return [...new Set(minors)].sort((a, b) => minorNumber(b) - minorNumber(a));
}

/** The number after the dot, for comparisons: 3.9 is older than 3.10. */
export function minorNumber(minor: string): number {
  return Number(minor.slice(minor.indexOf('.') + 1));
}

/** Starts an interpreter once to read its version; null when it cannot be used. The result is cached per path. */
export function probePython(path: string, env: NodeJS.ProcessEnv): Promise<Python | null> {
  const cached = probes.get(path);
  if (cached !== undefined) return cached;
  const probe = runProbe(path, env);
  probes.set(path, probe);
  return probe;
}

async function runProbe(path: string, env: NodeJS.ProcessEnv): Promise<Python | null> {
  const { end, stdout } = await captureTool({
    file: path,
    args: ['-I', '-S', '-c', PROBE],
    env,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  if (end.kind !== 'exited' || end.code !== 0) return null;
  const [implementation, level, major, minor, micro] = stdout.trim().split(' ');
  const usable = implementation === 'cpython' && level === 'final' && major === '3';
  if (!usable || minor === undefined || micro === undefined || Number(minor) < LOWEST_MINOR) return null;
  return { path, version: `3.${minor}.${micro}`, minor: `3.${minor}` };
}

/** Real files that may be interpreters, in order of preference, without duplicates. */
async function candidates(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const folders = await interpreterFolders(env);
  const lists = await Promise.all(folders.map(programsIn));
  return [...new Set(lists.flat())];
}

async function interpreterFolders(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const pyenvRoot = env['PYENV_ROOT'] ?? join(homedir(), '.pyenv');
  const pyenv = versionFolders(join(pyenvRoot, 'versions'));
  const path = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = await Promise.all(
    // A shim runs the version in its current configuration; list the versions behind it instead.
    path.map(async (folder) => (folder === join(pyenvRoot, 'shims') ? pyenv : [folder])),
  );
  const others = await Promise.all([
    pyenv,
    ...uvFolders(env).map(versionFolders),
    versionFolders('/Library/Frameworks/Python.framework/Versions'),
    installedOnWindows(env),
  ]);
  const usual = process.platform === 'win32' ? [] : ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];
  return [...new Set([...onPath.flat(), ...others.flat(), ...usual])];
}

/** Where uv keeps the Pythons that it downloaded. */
function uvFolders(env: NodeJS.ProcessEnv): readonly string[] {
  const configured = env['UV_PYTHON_INSTALL_DIR'];
  const data = process.platform === 'win32' ? env['APPDATA'] : env['XDG_DATA_HOME'];
  const folders = [
    ...(data ? [join(data, 'uv', 'python')] : []),
    join(homedir(), '.local', 'share', 'uv', 'python'),
  ];
  return configured ? [configured, ...folders] : folders;
}

/** The folders `<root>/<version>/bin`, newest first, without folders whose names show a version that is too old. */
async function versionFolders(root: string): Promise<readonly string[]> {
  const names = await namesIn(root);
  return names
    .filter((name) => {
      const version = /(?:^|-)(\d+)\.(\d+)/.exec(name);
      return version === null || (version[1] === '3' && Number(version[2]) >= LOWEST_MINOR);
    })
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => (process.platform === 'win32' ? join(root, name) : join(root, name, 'bin')));
}

async function installedOnWindows(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const root = env['LOCALAPPDATA'];
  if (process.platform !== 'win32' || root === undefined) return [];
  const programs = join(root, 'Programs', 'Python');
  return (await namesIn(programs)).map((name) => join(programs, name));
}

const PROGRAMS: readonly string[] =
  process.platform === 'win32'
    ? ['python.exe']
    : [
        'python3',
        ...Array.from(
          { length: NEWEST_MINOR_ASKED - LOWEST_MINOR + 1 },
          (_, index) => `python3.${LOWEST_MINOR + index}`,
        ),
        'python',
      ];

async function programsIn(folder: string): Promise<readonly string[]> {
  const names = new Set(await namesIn(folder));
  const files = await Promise.all(
    PROGRAMS.filter((name) => names.has(name)).map((name) => realProgram(join(folder, name))),
  );
  return files.filter((file) => file !== null);
}

/** The file behind a name; null for a missing file, a script (a shim of a version manager) and Python 2. */
async function realProgram(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  if (real === null || /^python2/.test(basename(real)) || basename(dirname(real)) === 'shims') return null;
  const file = await open(real, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const start = Buffer.alloc(2);
    await file.read(start, 0, 2, 0);
    return start.toString('latin1') === '#!' ? null : real;
  } finally {
    await file.close();
  }
}

/** Empty for a missing or unreadable folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
