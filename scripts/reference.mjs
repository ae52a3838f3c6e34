/**
 * `node scripts/reference.mjs [--check]`: writes docs/reference/*.md from the tables that the program itself uses. With
 * `--check` nothing is written, and the exit code is 1 if a page does not match the code.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { underNode } from './lib/node.mjs';
import { ROOT, say, script } from './lib/project.mjs';

const FOLDER = join(ROOT, 'docs', 'reference');
const HEAD = '<!-- Made from the code by `node scripts/reference.mjs`; edits here are lost. -->';

/** File name → text, straight from the sources: Node runs them as they are. */
async function referencePages() {
  const { configReference } = await import('../src-main/config/reference.ts');
  const { errorsReference, framesReference, routesReference } = await import(
    '../src-main/server/reference.ts'
  );
  const { commandReference } = await import('../src-main/cli/reference.ts');
  const pages = {
    'command-line.md': await commandReference(),
    'config.md': configReference(),
    'routes.md': routesReference(),
    'frames.md': framesReference(),
    'errors.md': errorsReference(),
  };
  return Object.entries(pages).map(([name, text]) => [name, `${HEAD}\n\n${text.trimEnd()}\n`]);
}

await script(async () => {
  const code = await underNode();
  if (code !== null) return code;
  const pages = await referencePages();
  const stale = pages.filter(([name, text]) => {
    const path = join(FOLDER, name);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });
  if (process.argv.includes('--check')) {
    for (const [name] of stale)
      say(`docs/reference/${name} is not fresh: run \`node scripts/reference.mjs\`.`);
    return stale.length === 0 ? 0 : 1;
  }
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of stale) writeFileSync(join(FOLDER, name), text);
  say(
    stale.length === 0
      ? 'the reference pages are fresh.'
      : `wrote ${stale.map(([name]) => name).join(', ')}.`,
  );
});
