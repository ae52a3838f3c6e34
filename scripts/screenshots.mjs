/**
 * `npm run screenshots [-- TEXT …]`: takes screenshots of the window into `.cache/screenshots`: all, or those whose
 * name contains a TEXT. The few that the documents show are in docs/screenshots (CONTRIBUTING.md says how to renew
 * one).
 */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { ROOT, script } from './lib/project.mjs';
import { buildRenderer } from './lib/rendererBuild.mjs';
import { buildServer } from './lib/serverBuild.mjs';
import { ensureUv } from './lib/uv.mjs';

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  await buildServer();
  await buildRenderer();
  const uv = await ensureUv();
  const child = spawnSync(
    process.execPath,
    [join(ROOT, 'e2e/screenshots/take.ts'), ...process.argv.slice(2)],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...(uv === null ? {} : { SVC_UV: uv }) },
    },
  );
  return child.status ?? 1;
});
