/**
 * `npm run dist [-- --dir] [-- electron-builder's own options]`: packages the desktop app into `dist/desktop`. With
 * `--test-electron` it uses the Electron of the tests, which needs no download and lets tests inspect the app.
 */

import { ensureDependencies } from './lib/dependencies.mjs';
import { stageShell } from './lib/desktopStage.mjs';
import { underNode } from './lib/node.mjs';
import { program, script } from './lib/project.mjs';
import { buildRenderer } from './lib/rendererBuild.mjs';
import { run } from './lib/run.mjs';
import { buildServer } from './lib/serverBuild.mjs';
import { buildShell } from './lib/shellBuild.mjs';
import { ensureTestElectron, TEST_ELECTRON_VERSION } from './lib/testElectron.mjs';

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  const commandArguments = process.argv.slice(2);
  await buildServer();
  await buildRenderer();
  await buildShell();
  stageShell();
  const args = commandArguments.filter((arg) => arg !== '--test-electron');
  if (commandArguments.includes('--test-electron')) args.push(...(await aroundTestElectron()));
  return run(process.execPath, [
    program('electron-builder', 'cli.js'),
    ...['--publish', 'never', '--config', 'electron-builder.yml'],
    ...args,
  ]);
});

async function aroundTestElectron() {
  const { dist } = await ensureTestElectron();
  return [
    `-c.electronDist=${dist}`,
    `-c.electronVersion=${TEST_ELECTRON_VERSION}`,
    '-c.electronFuses.enableNodeCliInspectArguments=true',
  ];
}
