/**
 * `node scripts/rules.mjs [--check]`: writes docs/rules/coverage.md from the rules and from the rule numbers in the
 * names of tests. With `--check` nothing is written, and the exit code is 1 if the page is out of date.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { underNode } from './lib/node.mjs';
import { ROOT, say, script } from './lib/project.mjs';

await script(async () => {
  const code = await underNode();
  if (code !== null) return code;
  const { coveragePage, readNumbers, readRules, GENERATED_PAGE } = await import(
    '../e2e/architecture/rules.ts'
  );
  const page = join(ROOT, 'docs', 'rules', GENERATED_PAGE);
  const { rules, problems } = readRules();
  for (const problem of problems) say(problem);
  if (problems.length > 0) return 1;
  const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const after = coveragePage(rules, readNumbers());
  if (after === before) return 0;
  if (process.argv.includes('--check')) {
    say(`docs/rules/${GENERATED_PAGE} is out of date: run \`node scripts/rules.mjs\`.`);
    return 1;
  }
  writeFileSync(page, after);
  return 0;
});
