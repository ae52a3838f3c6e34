import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { ROOT, Stop, script } from './lib/project.mjs';
import { buildRenderer } from './lib/rendererBuild.mjs';
import { buildServer } from './lib/serverBuild.mjs';
import { ensureAzurite } from './lib/testAzurite.mjs';
import { ensureDuckdbExtensions } from './lib/testDuckdbExtensions.mjs';
import { ensureTestElectron } from './lib/testElectron.mjs';
import {
  benchSmoke,
  desktop,
  endToEnd,
  harness,
  lint,
  packageApp,
  processes,
  soak,
  types,
  unit,
} from './lib/testStages.mjs';
import {
  ensureChromium,
  ensurePostgres,
  ensureR,
  ensureSshd,
  ensureTestModel,
  ensureTestPython,
  ensureTestSchemathesis,
  ensureTestServices,
} from './lib/testTools.mjs';
import { ensureUv } from './lib/uv.mjs';

// npm test [-- --check | --long]: installs what tests need, runs them all, ends with one line of counts.
await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  const flags = process.argv.slice(2);
  const unknown = flags.filter((flag) => flag !== '--check' && flag !== '--long');
  if (unknown.length > 0) throw new Stop(`npm test knows --check and --long, not ${unknown.join(' ')}.`);
  const whole = !flags.includes('--check');
  const uv = await ensureUv();
  const python = await ensureTestPython(uv);
  const env = {
    ...(uv === null ? {} : { SVC_UV: uv }),
    CELLAR_TEST_PYTHON: python,
    CELLAR_TEST_SERVICES: await ensureTestServices(uv),
    CELLAR_TEST_SCHEMATHESIS: await ensureTestSchemathesis(uv),
    // 125 MB, and minutes of a slow processor.
    ...(flags.includes('--long') ? { CELLAR_TEST_MODEL: await ensureTestModel(uv) } : {}),
    CELLAR_TEST_AZURITE: await ensureAzurite(),
    ...duckdbEnv(await ensureDuckdbExtensions(uv)),
    LONG: flags.includes('--long') ? '1' : '',
    SVC_RATE_LIMIT_ENABLED: 'false',
    // The default of 5 s can pass on a loaded machine.
    SVC_NOTEBOOK_R_NAMES_TIMEOUT_SECONDS: '60',
  };
  const stages = [
    ['tools', () => bringTools(env)],
    ['lint', lint],
    ['build', build],
    // None of them uses two cores fully, and none of them measures time.
    ...(whole
      ? [['types, harness and package', () => together(types(), harness(env), packaged(env))]]
      : [['types and harness', () => together(types(), harness(env))]]),
    ['unit', () => unit(env)],
    ...(whole ? wholeStages(env) : []),
  ];
  return report(await inTurn(stages));
});

/** Without the extensions the variable is unset, and the tests of catalogs skip. */
function duckdbEnv(folder) {
  return folder === null ? {} : { CELLAR_TEST_DUCKDB_EXTENSIONS: folder };
}

/** uv and the Python that tests run cells with, passed to every later stage. */
async function bringTools(env) {
  const uv = await ensureUv();
  if (uv !== null) env.SVC_UV = uv;
  env.CELLAR_TEST_PYTHON = await ensureTestPython(uv);
  env.CELLAR_TEST_SERVICES = await ensureTestServices(uv);
  env.CELLAR_TEST_SCHEMATHESIS = await ensureTestSchemathesis(uv);
  Object.assign(env, duckdbEnv(await ensureDuckdbExtensions(uv)));
  await ensureR();
  await ensureSshd();
  const postgres = await ensurePostgres();
  if (postgres !== null) env.CELLAR_TEST_POSTGRES = postgres;
  process.stdout.write(`uv ${env.SVC_UV}\npython ${env.CELLAR_TEST_PYTHON}\n`);
  return { passed: 0, failed: 0, skipped: [] };
}

function wholeStages(env) {
  const has = (path) => existsSync(join(ROOT, path));
  return [
    ['processes', () => processes(env)],
    ['soak', () => soak(env)],
    ...(has('playwright.config.ts') || has('e2e/playwright.config.ts')
      ? [['end to end', () => inBrowser(env)]]
      : []),
    ['desktop', async () => desktop(env, await ensureTestElectron())],
    ...(has('scripts/bench.mjs') ? [['bench smoke', () => benchSmoke(env)]] : []),
  ];
}

async function packaged(env) {
  return packageApp(env, await ensureTestElectron());
}

async function inBrowser(env) {
  const chromium = await ensureChromium();
  return endToEnd({ ...env, ...(chromium === null ? {} : { CELLAR_TEST_CHROMIUM: chromium }) });
}

/** Tests of processes run what people run: the built server. */
async function build() {
  await buildServer();
  await buildRenderer();
  return { passed: 1, failed: 0, skipped: [] };
}

async function together(...stages) {
  return sumOf(await Promise.all(stages));
}

function sumOf(counts) {
  const all = (kind) => counts.flatMap((count) => count[kind] ?? []);
  const sum = (kind) => counts.reduce((total, count) => total + count[kind], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: all('skipped'), broken: all('broken') };
}

async function inTurn(stages) {
  const counts = [];
  for (const [name, stage] of stages) {
    process.stdout.write(`\n== ${name}\n`);
    const started = performance.now();
    const count = await stage().catch((error) => {
      if (!(error instanceof Stop)) throw error;
      process.stdout.write(`${error.message}\n`);
      return { passed: 0, failed: 1, skipped: [] };
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(`-- ${name}: ${sentence(count)} (${seconds} s)\n`);
    counts.push({ name, ...count });
  }
  return counts;
}

function report(counts) {
  const skipped = counts.flatMap(({ name, skipped }) =>
    skipped.map(([test, why]) => `${name}: ${test} (${why})`),
  );
  if (skipped.length > 0) process.stdout.write(`\nskipped:\n  ${skipped.join('\n  ')}\n`);
  const named = (kind) =>
    counts.flatMap((count) =>
      (count[kind] ?? []).map(([test, said]) => `${count.name}: ${test}\n    ${said}`),
    );
  const flaky = named('flaky');
  if (flaky.length > 0) process.stdout.write(`\npassed at the second try:\n  ${flaky.join('\n  ')}\n`);
  // Repeated at the end: the runners printed them much earlier.
  const broken = named('broken');
  if (broken.length > 0) process.stdout.write(`\nnot passed:\n  ${broken.join('\n  ')}\n`);
  const total = sumOf(counts);
  const red = counts.filter(({ failed }) => failed > 0).map(({ name }) => name);
  if (red.length > 0) process.stdout.write(`\nfailed: ${red.join(', ')}\n`);
  process.stdout.write(`\n${sentence(total)}\n`);
  return total.failed === 0 ? 0 : 1;
}

function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
}
