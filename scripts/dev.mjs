/** `npm run dev [-- <serve options>]`: runs the server, and builds and restarts it after every change of a source. */

import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { ROOT, Stop, say, script } from './lib/project.mjs';
import { buildRenderer } from './lib/rendererBuild.mjs';
import { childEnv } from './lib/run.mjs';
import { buildServer } from './lib/serverBuild.mjs';
import { ensureUv } from './lib/uv.mjs';

/** Editors write a file in several steps; one build serves them all. */
const SETTLE_MS = 150;

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  const uv = await ensureUv();
  const env = childEnv({ CELLAR_END_WITH_PARENT: '1', ...(uv === null ? {} : { SVC_UV: uv }) });
  const options =
    process.argv.length > 2 ? process.argv.slice(2) : ['--open', join(ROOT, 'examples', 'first-steps')];
  let server = null;
  const restart = async () => {
    try {
      await buildServer();
      await buildRenderer();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      say(error.message);
      return;
    }
    await stop(server);
    server = spawn(process.execPath, [join(ROOT, 'scripts', 'svc.mjs'), 'serve', ...options], {
      cwd: ROOT,
      env,
      stdio: 'inherit',
    });
  };
  await restart();
  let timer;
  let building = Promise.resolve();
  for (const folder of ['src-main', 'src-shared', 'src-renderer', 'harness']) {
    watch(join(ROOT, folder), { recursive: true }, (_, name) => {
      if (name === null || /__pycache__|\.tsbuildinfo$|\.test\.tsx?$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        building = building.then(restart);
      }, SETTLE_MS);
    });
  }
  await new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  clearTimeout(timer);
  await building;
  await stop(server);
  process.exit(0);
});

function stop(server) {
  if (server === null || server.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once('close', resolve);
    server.kill('SIGTERM');
  });
}
