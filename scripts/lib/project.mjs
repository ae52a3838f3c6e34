/** The paths of the checkout, and how its scripts report progress and errors. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout: everything these scripts read and write is below it. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** Files that may be deleted at any time and are created again: tools, stamps, test environments, compile caches. */
export const CACHE = join(ROOT, '.cache');
export const DIST = join(ROOT, 'dist');

/** Prints progress. Always to stderr: stdout belongs to the requested command. */
export function say(text) {
  process.stderr.write(`cellar: ${text}\n`);
}

/** Ends the script with a message instead of a stack trace. */
export class Stop extends Error {}

/** Runs a script's main; a Stop becomes its message and exit code 1. */
export async function script(main) {
  try {
    process.exitCode = (await main()) ?? process.exitCode ?? 0;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}

/** The path of a package's own JavaScript program, so that no shell and no `.bin` link is needed. */
export function program(...parts) {
  const path = join(ROOT, 'node_modules', ...parts);
  if (!existsSync(path)) throw new Stop(`${path} is missing: run \`npm ci\`.`);
  return path;
}

/**
 * The person's working directory when they typed `npm run <name>`: npm itself changes to the checkout. A script started
 * otherwise, for example by a test, uses its own working directory, even below an npm process.
 */
export function typedFrom(name) {
  const byNpm = process.env.npm_lifecycle_event === name && process.cwd() === ROOT;
  return (byNpm && process.env.INIT_CWD) || process.cwd();
}
