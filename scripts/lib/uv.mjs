/** Finds or downloads uv, which makes the Python environments of notebooks, for the scripts of this checkout. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { aptInstall, isDebian } from './apt.mjs';
import { CACHE, DIST, say } from './project.mjs';
import { capture } from './run.mjs';
import { buildTools } from './serverBuild.mjs';
import { writeWhole } from './stamps.mjs';

const TOOLS = join(CACHE, 'tools');
/** Written beside the tool, so that a later lookup costs one read. */
const NOTE = join(TOOLS, 'uv.path');

/** The uv an earlier start or test run found, or null. */
export function toolPath() {
  if (!existsSync(NOTE)) return null;
  const path = readFileSync(NOTE, 'utf8');
  return existsSync(path) ? path : null;
}

/**
 * The uv for this checkout, downloaded if necessary: the pinned wheel in `.cache/tools` unless SVC_UV names another.
 * @returns its path, or null after printing the reason
 */
export async function ensureUv() {
  if (process.env.SVC_UV) return process.env.SVC_UV;
  const installed = toolPath();
  if (installed !== null) return installed;
  await buildTools();
  const { resolveUv } = await import(pathToFileURL(join(DIST, 'resolveUv.mjs')).href);
  await ensurePip();
  say('bringing uv, which makes the Python environments …');
  const uv = await resolveUv({ svcUv: null, resourceDir: null, cacheDir: TOOLS });
  if (uv.kind === 'missing') {
    say(`${uv.message} Notebooks run on a Python of this machine until it is.`);
    return null;
  }
  writeWhole(NOTE, uv.path);
  return uv.path;
}

/** A fresh Debian has Python without pip and without venv support. */
async function ensurePip() {
  if (!isDebian() || (await capture('python3', ['-m', 'pip', '--version'])).code === 0) return;
  if ((await capture('python3', ['-c', 'import ensurepip, venv; ensurepip.version()'])).code === 0) return;
  await aptInstall(['python3-pip'], 'pip, to fetch uv with');
}
