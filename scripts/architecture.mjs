import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { underNode } from './lib/node.mjs';
import { ROOT, say, script } from './lib/project.mjs';

// node scripts/architecture.mjs [--check]: the folder tables of docs/architecture.md, from e2e/architecture.
// With --check nothing is written, and the exit code is 1 when the page is out of date.
const PAGE = join(ROOT, 'docs', 'architecture.md');

await script(async () => {
  const code = await underNode();
  if (code !== null) return code;
  const { withFolderTables } = await import('../e2e/architecture/folderTables.ts');
  const before = readFileSync(PAGE, 'utf8');
  const after = withFolderTables(before);
  if (after === before) return 0;
  if (process.argv.includes('--check')) {
    say('docs/architecture.md is out of date: run `node scripts/architecture.mjs`.');
    return 1;
  }
  writeFileSync(PAGE, after);
  return 0;
});
