import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout: everything these scripts read and write lies below it. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** What may be deleted at any time and is made again: tools, stamps, test environments, compile caches. */
export const CACHE = join(ROOT, '.cache');
export const DIST = join(ROOT, 'dist');

/** Tells the person what is being done. Always stderr: stdout belongs to the command that was asked for. */
export function say(text) {
  process.stderr.write(`cellar: ${text}\n`);
}

/** Ends the script with words instead of a stack. */
export class Stop extends Error {}

/** Runs a script's main; a Stop becomes its words and exit code 1. */
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
 * Where the person stood when they typed `npm run <name>`: npm itself moves to the checkout. A script started by
 * something else, a test say, stays where it was started, whatever npm above it says.
 */
export function typedFrom(name) {
  const byNpm = process.env.npm_lifecycle_event === name && process.cwd() === ROOT;
  return (byNpm && process.env.INIT_CWD) || process.cwd();
}
