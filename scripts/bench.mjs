/**
 * `npm run bench [-- --smoke | --quick] [-- --only TEXT]`: builds the program and measures the rows of
 * e2e/bench/budgets.json against it.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { CACHE, ROOT, script } from './lib/project.mjs';
import { buildRenderer } from './lib/rendererBuild.mjs';
import { buildServer } from './lib/serverBuild.mjs';
import { ensureTestServices } from './lib/testTools.mjs';
import { ensureUv } from './lib/uv.mjs';

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  await buildServer();
  await buildRenderer();
  mkdirSync(CACHE, { recursive: true });
  const uv = await ensureUv();
  const bench = spawnSync(process.execPath, [join(ROOT, 'e2e/bench/bench.ts'), ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(uv === null ? {} : { SVC_UV: uv }),
      // pyiceberg writes the table that is scanned.
      CELLAR_TEST_SERVICES: await ensureTestServices(uv),
    },
  });
  return bench.status ?? 1;
});
