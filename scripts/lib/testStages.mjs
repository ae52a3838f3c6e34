import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { CACHE, program, ROOT } from './project.mjs';
import { run } from './run.mjs';
import { typecheck } from './typecheck.mjs';

/**
 * Each stage runs one kind of test and returns its counts: {passed, failed, skipped: [[name, reason]],
 * broken?: [[name, message]], flaky?: [[name, first error]]}.
 * The runner's output is shown as it arrives; the counts come from its report, never from its output.
 */
const REPORTS = join(CACHE, 'test-reports');
/** Hundreds of tests start the program: compiled code is cached for the next one. Never where time is measured. */
const COMPILED_ONCE = { NODE_COMPILE_CACHE: join(CACHE, 'compile-cache') };

export async function lint() {
  const code = await run(process.execPath, [program('@biomejs', 'biome', 'bin', 'biome'), 'check', '.']);
  return one(code === 0);
}

export async function types() {
  const results = await typecheck();
  return {
    passed: results.filter(({ ok }) => ok).length,
    failed: results.filter(({ ok }) => !ok).length,
    skipped: [],
  };
}

export function unit(env) {
  return vitest(env, { report: 'unit.json', config: 'vitest.config.ts' });
}

/** The built program under faults, kills and misbehaving clients. */
export function processes(env) {
  return vitest(env, { report: 'processes.json', config: 'vitest.process.config.ts' });
}

/** Many people at one server, for half a minute or, with LONG, ten. */
export function soak(env) {
  return vitest(env, { report: 'soak.json', config: 'vitest.soak.config.ts' });
}

async function vitest(env, { report: name, config }) {
  const report = freshReport(name);
  const counts = join(ROOT, 'scripts', 'lib', 'vitestCounts.mjs');
  const args = ['run', '--config', config, '--reporter=dot', `--reporter=${counts}`];
  const code = await run(process.execPath, [program('vitest', 'vitest.mjs'), ...args], {
    env: { ...env, ...COMPILED_ONCE, CELLAR_UNIT_COUNTS: report },
  });
  const found = readReport(report);
  return found === null ? noReport(code) : atLeastOneFailure(code, found);
}

export async function harness(env) {
  const python = env.CELLAR_TEST_PYTHON;
  if (python === undefined) return one(false);
  const report = freshReport('harness.json');
  const folder = join(ROOT, 'harness', 'python', 'tests');
  const runner = join(ROOT, 'scripts', 'lib', 'unittestCounts.py');
  const code = await run(python, ['-B', runner, folder, report], { env });
  const found = readReport(report);
  if (found === null) return noReport(code);
  const broken = found.failed.map((test) => [test, 'see above']);
  const counts = { passed: found.passed, failed: broken.length, skipped: found.skipped, broken };
  return atLeastOneFailure(code, counts);
}

export function endToEnd(env) {
  return playwright(
    { ...env, ...COMPILED_ONCE },
    { report: 'e2e.json', config: 'playwright.config.ts', before: [] },
  );
}

/** Packages the built program with the Electron of the tests, for the desktop stage; same parameter as there. */
export async function packageApp(env, { skipped }) {
  if (skipped !== null) return { passed: 0, failed: 0, skipped: [] };
  const dist = join(ROOT, 'scripts', 'dist.mjs');
  return one((await run(process.execPath, [dist, '--dir', '--test-electron'], { env })) === 0);
}

/** The packaged app on a real Electron, on its own virtual screen; the parameter is {dist, skipped} of the test Electron. */
export async function desktop(env, { skipped }) {
  if (skipped !== null) return { passed: 0, failed: 0, skipped: [['the packaged app', skipped]] };
  const before = ['xvfb-run', '-a'];
  return playwright(env, { report: 'desktop.json', config: 'playwright.desktop.config.ts', before });
}

async function playwright(env, { report: name, config, before }) {
  const report = freshReport(name);
  const [file, ...args] = [
    ...before,
    process.execPath,
    program('@playwright', 'test', 'cli.js'),
    ...['test', '--config', config, '--reporter=list,json'],
  ];
  const code = await run(file, args, { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report } });
  const found = readReport(report);
  if (found === null) return noReport(code);
  const tests = found.suites.flatMap(testsOf);
  const skipped = tests.filter(({ test }) => test.status === 'skipped');
  const ended = (status) =>
    tests
      .filter(({ test }) => test.status === status)
      .map(({ title, place, test }) => [
        title,
        `${firstError(test)}\n    repeat it: npx playwright test --config ${config} ${place}${picturesOf(test)}`,
      ]);
  return atLeastOneFailure(code, {
    passed: found.stats.expected + found.stats.flaky,
    failed: found.stats.unexpected,
    broken: ended('unexpected'),
    flaky: ended('flaky'),
    skipped: skipped.map(({ title, test }) => [
      title,
      test.annotations.find(({ type }) => type === 'skip')?.description ?? 'see the test',
    ]),
  });
}

export async function benchSmoke(env) {
  return one((await run(process.execPath, [join(ROOT, 'scripts', 'bench.mjs'), '--smoke'], { env })) === 0);
}

function testsOf(suite) {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({ title: spec.title, place: `${spec.file}:${spec.line}`, test })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(testsOf)];
}

/** Where the pictures of a failed test are. */
function picturesOf({ results }) {
  const paths = results.flatMap(({ attachments }) =>
    attachments.filter(({ name }) => name === 'screenshot').map(({ path }) => path),
  );
  return paths.map((path) => `\n    picture: ${path}`).join('');
}

/** The error of a test's first failed attempt, on one line, without terminal colours. */
function firstError({ results }) {
  const message = results.find(({ error }) => error !== undefined)?.error.message ?? 'no error of its own';
  return stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, 4).join(' · ');
}

function one(ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] };
}

/** A runner that died, from lack of memory or in native code, names no test: its exit code is the only information. */
function noReport(code) {
  return {
    passed: 0,
    failed: 1,
    skipped: [],
    broken: [['the runner itself', `it ended with exit code ${code} and left no report`]],
  };
}

/** A runner may fail for other reasons than a test: an unhandled error, a broken configuration. */
function atLeastOneFailure(code, counts) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function freshReport(name) {
  mkdirSync(REPORTS, { recursive: true });
  rmSync(join(REPORTS, name), { force: true });
  return join(REPORTS, name);
}

/** The report, or null when the runner died before it wrote one. */
function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}
