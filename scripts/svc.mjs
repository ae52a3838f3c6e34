#!/usr/bin/env node
/**
 * `npm run svc -- <command> …`: runs the command line `svc` in this process, after installing and building what is
 * missing.
 */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { CACHE, DIST, script, typedFrom } from './lib/project.mjs';
import { buildServer, isServerFresh } from './lib/serverBuild.mjs';

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  if (!isServerFresh()) await buildServer();
  if (process.env.SVC_UV === undefined) {
    const { toolPath } = await import('./lib/uv.mjs');
    const uv = toolPath();
    if (uv !== null) process.env.SVC_UV = uv;
  }
  // A server started by a script ends together with that script, even if the script is killed.
  if (process.env.CELLAR_END_WITH_PARENT === '1') {
    const { whenParentGone } = await import('./lib/run.mjs');
    whenParentGone(() => process.kill(process.pid, 'SIGTERM'));
  }
  // Relative folders refer to the person's working directory, not to the checkout that npm changed to.
  process.chdir(typedFrom('svc'));
  // Older versions of Node, which start this script too, lack it.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(join(CACHE, 'compile'));
  await import(pathToFileURL(join(DIST, 'svc.mjs')).href);
});
