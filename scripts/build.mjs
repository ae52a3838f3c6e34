/**
 * `npm run build`: builds what is out of date of the server, the harness copy, the window and the desktop shell, into
 * `dist/`.
 */

import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { script } from './lib/project.mjs';
import { buildRenderer } from './lib/rendererBuild.mjs';
import { buildServer } from './lib/serverBuild.mjs';
import { buildShell } from './lib/shellBuild.mjs';

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  await buildServer();
  await buildRenderer();
  await buildShell();
});
