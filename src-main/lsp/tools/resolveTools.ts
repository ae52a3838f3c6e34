/** Finds the Python language server (ty) and its type stubs, or installs their pinned versions. */

import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundUv } from '../../environment/uv/resolveUv.ts';
import { captureTool } from '../../environment/uv/runTool.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { TOOL_REQUIREMENTS, TOOLS_NAME } from './toolWheels.ts';

/** The language server's program, with the folder of type stubs next to it. */
export interface LanguageTools {
  readonly kind: 'found';
  readonly ty: string;
  readonly stubs: string;
}

export type FoundTools = LanguageTools | { readonly kind: 'missing'; readonly message: string };

export interface ToolSources {
  /** The packaged app's resources, with `language/<platform>-<arch>/`; null outside of a packaged app. */
  readonly resourceDir: string | null;
  /** The folder for downloaded tools. */
  readonly cacheDir: string;
  readonly uv: () => Promise<FoundUv>;
  readonly env: () => NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

const PROGRAM = process.platform === 'win32' ? 'ty.exe' : 'ty';
const DOWNLOAD_TIMEOUT_MS = 180_000;

/**
 * Finds the tools: those shipped with the app, those downloaded earlier, else their pinned wheels, which uv
 * installs into `cacheDir`. Missing tools are a result, not an error: the editor works without them.
 * @param python any interpreter of this machine, which uv needs but does not use
 */
export async function resolveTools(sources: ToolSources, python: string): Promise<FoundTools> {
  if (sources.resourceDir !== null) {
    const shipped = join(sources.resourceDir, 'language', `${process.platform}-${process.arch}`);
    const shippedTools = await toolsIn(shipped);
    if (shippedTools !== null) return shippedTools;
  }
  const cachedFolder = join(sources.cacheDir, TOOLS_NAME);
  return (await toolsIn(cachedFolder)) ?? download(sources, python, cachedFolder);
}

async function toolsIn(folder: string): Promise<LanguageTools | null> {
  const ty = join(folder, 'bin', PROGRAM);
  const facts = await stat(ty).catch(() => null);
  return facts?.isFile() === true ? { kind: 'found', ty, stubs: folder } : null;
}

async function download(sources: ToolSources, python: string, cachedFolder: string): Promise<FoundTools> {
  const uv = await sources.uv();
  if (uv.kind === 'missing') return missing(uv.message);
  let scratch: string;
  try {
    await mkdir(sources.cacheDir, { recursive: true });
    scratch = await mkdtemp(join(sources.cacheDir, 'language-fetch-'));
  } catch (error) {
    return missing(`${sources.cacheDir} cannot be written (${errnoOf(error) ?? String(error)}).`);
  }
  try {
    const requirements = join(scratch, 'requirements.txt');
    const target = join(scratch, 'tools');
    await writeFile(requirements, `${TOOL_REQUIREMENTS.join('\n')}\n`);
    const { end, stderr } = await captureTool({
      file: uv.path,
      args: [
        ...[
          'pip',
          'install',
          '--quiet',
          '--no-config',
          '--no-deps',
          '--only-binary',
          ':all:',
          '--require-hashes',
        ],
        // The stubs require a newer Python than a notebook may have; they never run.
        ...['--python', python, '--python-version', '3.13', '--target', target, '-r', requirements],
      ],
      env: sources.env(),
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      signal: sources.signal,
    });
    if (end.kind !== 'exited' || end.code !== 0) {
      return missing(`uv could not install it: ${stderr.trim().split('\n').at(-1) ?? end.kind}`);
    }
    // Another server on this machine may have been faster.
    await rename(target, cachedFolder).catch(() => undefined);
    return (await toolsIn(cachedFolder)) ?? missing(`${cachedFolder} cannot be written.`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function missing(why: string): FoundTools {
  return { kind: 'missing', message: `The Python language server is not available: ${why}` };
}
