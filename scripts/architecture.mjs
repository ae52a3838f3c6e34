/**
 * `node scripts/architecture.mjs [--check]`: writes the generated tables of docs/architecture.md and
 * docs/how-to/svc-folder.md, from e2e/architecture and src-main/notebook/folder/ownPlaces.ts.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { underNode } from './lib/node.mjs';
import { ROOT, say, script } from './lib/project.mjs';

// With --check nothing is written, and the exit code is 1 when a page is out of date.
await script(async () => {
  const code = await underNode();
  if (code !== null) return code;
  const { FOLDER_TABLES, withFolderTables } = await import('../e2e/architecture/folderTables.ts');
  const { PLACE_TABLES } = await import('../e2e/architecture/placeTables.ts');
  let isCurrent = true;
  for (const [page, tables] of [
    ['docs/architecture.md', FOLDER_TABLES],
    ['docs/how-to/svc-folder.md', PLACE_TABLES],
  ]) {
    const before = readFileSync(join(ROOT, page), 'utf8');
    const after = withFolderTables(before, tables);
    if (after === before) continue;
    isCurrent = false;
    if (process.argv.includes('--check')) {
      say(`${page} is out of date: run \`node scripts/architecture.mjs\`.`);
    } else writeFileSync(join(ROOT, page), after);
  }
  return isCurrent || !process.argv.includes('--check') ? 0 : 1;
});
