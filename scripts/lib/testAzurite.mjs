/** Installs Azurite, the fake Azure blob server of the tests. */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './dependencies.mjs';
import { CACHE, ROOT, Stop, say } from './project.mjs';
import { run } from './run.mjs';

const SERVICES = join(ROOT, 'e2e', 'services');

/**
 * Installs it in its own folder in `.cache/`, so that neither developers nor the packages of the program get its 318
 * packages.
 * @returns its program for blobs
 */
export async function ensureAzurite() {
  const folder = join(CACHE, 'test-azurite');
  const program = join(folder, 'node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');
  const lock = join(SERVICES, 'package-lock.json');
  const stamp = join(folder, '.cellar-stamp');
  const digest = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(program) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return program;
  say('installing the blob server of Azure for the tests (e2e/services) …');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(SERVICES, name), join(folder, name));
  }
  const [file, args] = npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  const code = await run(file, args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (code !== 0) {
    throw new Stop(
      `npm ci for e2e/services ended with exit code ${code}; its output is above. Is the package registry reachable?`,
    );
  }
  writeFileSync(stamp, digest);
  return program;
}
