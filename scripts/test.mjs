/**
 * `npm test [-- --check | --long | --strict | --only STAGE …]`: installs what the tests need, runs them in stages, and
 * prints one line of counts at the end.
 */

import { affectedTests, changedFiles, readSources } from './lib/affectedTests.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { Stop, script } from './lib/project.mjs';
import { buildRenderer } from './lib/rendererBuild.mjs';
import { inTurn, report, sideBySide } from './lib/runStages.mjs';
import { buildServer } from './lib/serverBuild.mjs';
import { print } from './lib/stageOutput.mjs';
import { ensureAzurite } from './lib/testAzurite.mjs';
import { ensureDuckdbExtensions } from './lib/testDuckdbExtensions.mjs';
import { ensureTestElectron } from './lib/testElectron.mjs';
import { ensureIcebergJava } from './lib/testIcebergJava.mjs';
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

/** What `--only` runs, each with arguments for its runner: which files and tests. */
const ONLY = {
  unit,
  harness,
  processes,
  soak,
  browser: inBrowser,
  desktop: async (env, args) => desktop(env, await ensureTestElectron(), args),
};

const FLAGS = ['--check', '--long', '--strict'];

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  const { flags, only } = readArguments(process.argv.slice(2));
  const isCheck = flags.includes('--check');
  const env = {
    LONG: flags.includes('--long') ? '1' : '',
    STRICT: flags.includes('--strict') ? '1' : '',
    SVC_RATE_LIMIT_ENABLED: 'false',
    // The default of 5 s can pass on a loaded machine.
    SVC_NOTEBOOK_R_NAMES_TIMEOUT_SECONDS: '60',
  };
  // The commands that repeat a failed test are written here as well.
  process.env.LONG = env.LONG;
  const prepare = [
    { name: 'tools', run: () => bringTools(env, !isCheck) },
    { name: 'build', run: build },
  ];
  if (only !== null) {
    const counts = await sideBySide(prepare);
    if (counts.some(({ failed }) => failed > 0)) return report(counts);
    return report([...counts, ...(await inTurn([[only.stage, () => ONLY[only.stage](env, only.args)]]))]);
  }
  const counts = await sideBySide([...prepare, ...(isCheck ? checkStages(env) : wholeStages(env))]);
  if (!isCheck) counts.push(...(await inTurn(measuringStages(env))));
  return report(counts);
});

/** @returns {flags, only: {stage, args} | null} */
function readArguments(words) {
  const at = words.indexOf('--only');
  const flags = at === -1 ? words : words.slice(0, at);
  const unknown = flags.filter((flag) => !FLAGS.includes(flag));
  if (unknown.length > 0) {
    throw new Stop(`npm test knows --check, --long, --strict and --only STAGE, not ${unknown.join(' ')}.`);
  }
  if (at === -1) return { flags, only: null };
  const [stage = '', ...args] = words.slice(at + 1);
  if (!Object.hasOwn(ONLY, stage)) {
    throw new Stop(`--only takes one of ${Object.keys(ONLY).join(', ')}, then arguments for its runner.`);
  }
  return { flags, only: { stage, args } };
}

/** Without the extensions the variable is unset, and the tests of catalogs skip. */
function duckdbEnv(folder) {
  return folder === null ? {} : { CELLAR_TEST_DUCKDB_EXTENSIONS: folder };
}

/** Without Java the variable is unset, and the tests of tables that Java wrote skip. */
function javaEnv(jars) {
  return jars === null ? {} : { CELLAR_TEST_ICEBERG_JAVA: jars };
}

/** Installs what tests need, and stores the paths in `env` for the later stages. */
async function bringTools(env, withWindows) {
  const uv = await ensureUv();
  if (uv !== null) env.SVC_UV = uv;
  env.CELLAR_TEST_PYTHON = await ensureTestPython(uv);
  // They wait for downloads and disks, and so are installed at the same time; apt refuses two installations at a time.
  const [services, schemathesis, azurite, extensions, jars] = await Promise.all([
    ensureTestServices(uv),
    ensureTestSchemathesis(uv),
    ensureAzurite(),
    ensureDuckdbExtensions(uv),
    ensureIcebergJava(),
    ensureSystemPackages(env, withWindows),
  ]);
  env.CELLAR_TEST_SERVICES = services;
  env.CELLAR_TEST_SCHEMATHESIS = schemathesis;
  env.CELLAR_TEST_AZURITE = azurite;
  // 125 MB, and minutes of a slow processor.
  if (env.LONG === '1') env.CELLAR_TEST_MODEL = await ensureTestModel(uv);
  Object.assign(env, duckdbEnv(extensions), javaEnv(jars));
  print(`uv ${env.SVC_UV}\npython ${env.CELLAR_TEST_PYTHON}\n`);
  return { passed: 0, failed: 0, skipped: [] };
}

/** R, an ssh server, PostgreSQL and, for the whole run, the browser and Electron. */
async function ensureSystemPackages(env, withWindows) {
  await ensureR();
  await ensureSshd();
  const postgres = await ensurePostgres();
  if (postgres !== null) env.CELLAR_TEST_POSTGRES = postgres;
  // Later stages find everything.
  if (withWindows) {
    await ensureChromium();
    await ensureTestElectron();
  }
}

/**
 * Stages of `npm run check`, as in wholeStages: only the unit tests that the change can affect, and the harness only
 * when it changed. Without a change, all.
 */
function checkStages(env) {
  const changed = changedFiles();
  const tests = changed === null ? null : affectedTests(readSources(), changed.paths);
  const withHarness = changed === null || changed.paths.some((path) => path.startsWith('harness/'));
  const some = `the ${tests?.length} files that refer to what changed since ${changed?.base}`;
  process.stdout.write(
    `\nunit tests: ${tests === null ? 'all' : some}; harness tests: ${withHarness ? 'all' : 'none, it has not changed'}\n`,
  );
  return [
    { name: 'types', run: types },
    { name: 'lint', run: lint },
    { name: 'unit', after: ['tools', 'build'], run: () => unit(env, tests ?? []) },
    ...(withHarness ? [{ name: 'harness', after: ['tools'], run: () => harness(env) }] : []),
  ];
}

/**
 * The stages that share the machine, two at a time, in the order in which they start: after the short ones, which fail
 * soonest, those that take longest, so that the end finds both lanes with something to do. The limits of all of them
 * allow for a busy machine.
 */
function wholeStages(env) {
  const needed = ['tools', 'build'];
  return [
    { name: 'lint', run: lint },
    { name: 'types', run: types },
    { name: 'package', after: needed, run: async () => packageApp(env, await ensureTestElectron()) },
    { name: 'processes', after: ['package'], run: () => processes(env) },
    { name: 'browser', after: needed, run: () => inBrowser(env) },
    { name: 'unit', after: needed, run: () => unit(env) },
    { name: 'desktop', after: ['package'], run: async () => desktop(env, await ensureTestElectron()) },
    { name: 'harness', after: needed, run: () => harness(env) },
  ];
}

/** The stages that measure times and memory, each of which has the machine to itself. */
function measuringStages(env) {
  return [
    ['soak', () => soak(env)],
    ['bench smoke', () => benchSmoke(env)],
  ];
}

/** Without arguments the desktop stage runs as well, and tests the main journey: once is enough. */
async function inBrowser(env, args) {
  const chromium = await ensureChromium();
  const isWalkedInApp = args === undefined && (await ensureTestElectron()).skipped === null;
  const more = {
    ...(chromium === null ? {} : { CELLAR_TEST_CHROMIUM: chromium }),
    ...(isWalkedInApp ? { CELLAR_TEST_KEYS_IN_APP: '1' } : {}),
  };
  return endToEnd({ ...env, ...more }, args);
}

/** Tests of processes run what people run: the built server. */
async function build() {
  await buildServer();
  await buildRenderer();
  return { passed: 1, failed: 0, skipped: [] };
}
