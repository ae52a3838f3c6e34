import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

/** The packaging settings. macOS and Windows packages cannot be built here, so their settings are checked as data. */
interface Settings {
  readonly mac: Record<string, unknown>;
  readonly linux: Record<string, unknown>;
  readonly win: Record<string, unknown>;
  readonly electronFuses: Record<string, boolean>;
  readonly extraResources: readonly { readonly from: string; readonly to: string }[];
}

/** A script that reads and validates the settings with electron-builder, which is CommonJS, in its own process. */
const READ = `
const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config.js');
const { DebugLogger } = require('builder-util');
getConfig(process.cwd(), 'electron-builder.yml', null).then(async (config) => {
  await validateConfiguration(config, new DebugLogger(false));
  const broken = { ...config, asarr: true };
  const refused = await validateConfiguration(broken, new DebugLogger(false)).then(() => null, (error) => error.message);
  process.stdout.write(JSON.stringify({ config, refused }));
}, (error) => { console.error(error); process.exitCode = 1; });
`;

/** Width x height of a PNG, which are at fixed offsets of the file. */
function pngSize(path: string): string {
  const bytes = readFileSync(path);
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

it('[DK-20] electron-builder accepts the settings of every platform', () => {
  const text = execFileSync(process.execPath, ['-e', READ], { cwd: PROJECT_ROOT, encoding: 'utf8' });
  const { config, refused } = JSON.parse(text.slice(text.indexOf('{"config"'))) as {
    config: Settings;
    refused: string | null;
  };
  // The check can fail: the message names a setting that does not exist.
  expect(refused).toContain("'asarr'");
  expect(config.mac).toMatchObject({ hardenedRuntime: true });
  expect(config.linux['target']).toEqual(['AppImage', 'deb', 'tar.gz']);
  // The fuses of a release disable the inspector too, which the build for tests allows.
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
  });
  // Each system's icon exists, in the size that its name gives.
  const icons = ['16x16', '32x32', '48x48', '128x128', '256x256', '512x512', '1024x1024'];
  expect(icons.map((name) => pngSize(join(PROJECT_ROOT, 'packaging/icons', `${name}.png`)))).toEqual(icons);
  for (const part of [config.linux, config.mac, config.win]) {
    expect(existsSync(join(PROJECT_ROOT, 'packaging', String(part['icon'])))).toBe(true);
  }
  expect(config.extraResources.map(({ to }) => to)).toEqual([
    'server',
    'server/node_modules',
    'uv',
    'language',
  ]);
});

it('[DK-20] every package that the server does not bundle is shipped, or known to be optional', async () => {
  const build = readFileSync(join(PROJECT_ROOT, 'scripts/lib/serverBuild.mjs'), 'utf8');
  const external = [...(/const EXTERNAL = \[([^\]]+)\]/.exec(build)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(
    ([, name]) => name ?? '',
  );
  const stage = join(PROJECT_ROOT, 'scripts/lib/desktopStage.mjs');
  const { SHIPPED_PACKAGES } = (await import(stage)) as { SHIPPED_PACKAGES: Record<string, unknown> };
  const optional = ['electron', 'bufferutil', 'utf-8-validate', 'pino-pretty', 'pg-native'];
  expect(external.length).toBeGreaterThan(3);
  const isShipped = (name: string): boolean =>
    Object.keys(SHIPPED_PACKAGES).some(
      (shipped) => shipped === name || shipped.startsWith(name.replace('*', '')),
    );
  expect(external.filter((name) => !optional.includes(name) && !isShipped(name))).toEqual([]);
});
