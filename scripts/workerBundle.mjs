/** `npm run worker-bundle [-- DIR]`: builds the worker as one file, with its harness, into `dist/worker` or DIR. */

import { resolve } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { DIST, say, script } from './lib/project.mjs';
import { buildWorker } from './lib/workerBuild.mjs';

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  const dir = process.argv[2] === undefined ? `${DIST}/worker` : resolve(process.argv[2]);
  await buildWorker(dir);
  say(`the worker is ${dir}/svc-worker.cjs, with its harness beside it`);
});
