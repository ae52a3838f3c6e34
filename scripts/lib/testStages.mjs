/**
 * Runs the stages of `npm test`, one kind of test each. A stage returns its counts: {passed, failed, skipped: [[name,
 * reason]], broken?: [[name, message]], flaky?: [[name, first error]]}. The runner's output is shown as it arrives; the
 * counts come from its report, never from its output.
 */

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { CACHE, program, ROOT } from './project.mjs';
import { repeatCommand } from './repeatCommand.mjs';
import { run } from './run.mjs';
import { folderOf } from './stageOutput.mjs';
import { typecheck } from './typecheck.mjs';

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

/**
 * A second try separates a slow moment of the machine from a fault; the totals name each test that needed it.
 * `npm test -- --strict` gives none.
 */
function tries(env) {
  return env.STRICT === '1' ? '0' : '1';
}

export function unit(env, args = []) {
  return vitest(env, {
    stage: 'unit',
    config: 'vitest.config.ts',
    args: [`--retry=${tries(env)}`, ...args],
  });
}

/** The built program under faults, kills and misbehaving clients. */
export function processes(env, args = []) {
  return vitest(env, {
    stage: 'processes',
    config: 'vitest.process.config.ts',
    args: [`--retry=${tries(env)}`, ...args],
  });
}

/** Many people at one server, for half a minute or, with LONG, ten. */
export function soak(env, args = []) {
  return vitest(env, { stage: 'soak', config: 'vitest.soak.config.ts', args });
}

/** @param args further arguments of vitest: which files and tests */
async function vitest(env, { stage, config, args }) {
  const report = freshReport(stage);
  const counts = join(ROOT, 'scripts', 'lib', 'vitestCounts.mjs');
  const all = ['run', '--config', config, '--reporter=dot', `--reporter=${counts}`, ...args];
  const code = await run(process.execPath, [program('vitest', 'vitest.mjs'), ...all], {
    env: {
      ...env,
      ...COMPILED_ONCE,
      CELLAR_UNIT_COUNTS: report,
      CELLAR_UNIT_LOGS: logsOf(stage),
      CELLAR_UNIT_STAGE: stage,
    },
  });
  const parsedReport = readReport(report);
  return parsedReport === null ? noReport(code) : atLeastOneFailure(code, parsedReport);
}

/**
 * The Python tests, in one process per core: they fork, and so have no threads.
 * @param args names of files without `.py`; none: all
 */
export async function harness(env, args = []) {
  const python = env.CELLAR_TEST_PYTHON;
  if (python === undefined) return one(false);
  const folder = join(ROOT, 'harness', 'python', 'tests');
  const runner = join(ROOT, 'scripts', 'lib', 'unittestCounts.py');
  const claims = join(folderOf('harness'), 'claims');
  rmSync(claims, { recursive: true, force: true });
  mkdirSync(claims, { recursive: true });
  const runs = Array.from({ length: args.length > 0 ? 1 : availableParallelism() }, async (_none, at) => {
    const report = freshReport('harness', `report-${at}.json`);
    const code = await run(python, ['-B', runner, folder, report, claims, ...args], { env });
    const parsedReport = readReport(report);
    return parsedReport === null ? noReport(code) : atLeastOneFailure(code, harnessCounts(parsedReport));
  });
  return sumOf(await Promise.all(runs));
}

function harnessCounts({ passed, failed, skipped }) {
  const broken = failed.map(([test, file, error]) => [test, `${error}${repeatCommand('harness', [file])}`]);
  return { passed, failed: broken.length, skipped, broken };
}

/** The counts of several runners as one. */
export function sumOf(counts) {
  const all = (kind) => counts.flatMap((count) => count[kind] ?? []);
  const sum = (kind) => counts.reduce((total, count) => total + count[kind], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: all('skipped'),
    broken: all('broken'),
    flaky: all('flaky'),
  };
}

export function endToEnd(env, args = []) {
  return playwright(
    { ...env, ...COMPILED_ONCE },
    { stage: 'browser', config: 'playwright.config.ts', before: [], args },
  );
}

/** Packages the built program with the Electron of the tests, for the desktop stage; the parameter is the same. */
export async function packageApp(env, { skipped }) {
  if (skipped !== null) return { passed: 0, failed: 0, skipped: [] };
  const dist = join(ROOT, 'scripts', 'dist.mjs');
  return one((await run(process.execPath, [dist, '--dir', '--test-electron'], { env })) === 0);
}

/**
 * The packaged app on a real Electron, on its own virtual screen; the parameter is {dist, skipped} of the test
 * Electron.
 */
export async function desktop(env, { skipped }, args = []) {
  if (skipped !== null) return { passed: 0, failed: 0, skipped: [['the packaged app', skipped]] };
  const before = ['xvfb-run', '-a'];
  return playwright(env, { stage: 'desktop', config: 'playwright.desktop.config.ts', before, args });
}

async function playwright(env, { stage, config, before, args }) {
  const report = freshReport(stage);
  const [file, ...all] = [
    ...before,
    process.execPath,
    program('@playwright', 'test', 'cli.js'),
    ...['test', '--config', config, '--reporter=list,json', '--output', logsOf(stage)],
    ...[`--retries=${tries(env)}`, ...args],
  ];
  const code = await run(file, all, { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report } });
  const parsedReport = readReport(report);
  if (parsedReport === null) return noReport(code);
  const tests = parsedReport.suites.flatMap(testsOf);
  const skipped = tests.filter(({ test }) => test.status === 'skipped');
  const resultsOf = (status) =>
    tests
      .filter(({ test }) => test.status === status)
      .map(({ title, place, test }) => [
        title,
        `${firstError(test)}${repeatCommand(stage, [place])}${attachmentLines(test)}`,
      ]);
  return atLeastOneFailure(code, {
    passed: parsedReport.stats.expected + parsedReport.stats.flaky,
    failed: parsedReport.stats.unexpected,
    broken: resultsOf('unexpected'),
    flaky: resultsOf('flaky'),
    skipped: skipped.map(({ title, test }) => [
      title,
      test.annotations.find(({ type }) => type === 'skip')?.description ?? 'see the test',
    ]),
  });
}

/** The groups of rows that fit a minute; with LONG all. */
export async function benchSmoke(env) {
  const bench = join(ROOT, 'scripts', 'bench.mjs');
  const code = await run(process.execPath, [bench, env.LONG === '1' ? '--smoke' : '--quick'], { env });
  return one(code === 0);
}

function testsOf(suite) {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({ title: spec.title, place: `${spec.file}:${spec.line}`, test })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(testsOf)];
}

/** The attachments of a failed test that the totals list: Playwright's name → the name in the totals. */
const LISTED_ATTACHMENTS = { screenshot: 'picture', trace: 'trace' };

/** Lines with the paths of a failed test's screenshots and traces. */
function attachmentLines({ results }) {
  const all = results.flatMap(({ attachments }) => attachments);
  return all
    .filter(({ name }) => Object.hasOwn(LISTED_ATTACHMENTS, name))
    .map(({ name, path }) => `\n    ${LISTED_ATTACHMENTS[name]}: ${path}`)
    .join('');
}

/** The error of a test's first failed attempt, on one line, without terminal colours. */
function firstError({ results }) {
  const message = results.find(({ error }) => error !== undefined)?.error.message ?? 'no error of its own';
  return stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, 4).join(' · ');
}

function one(ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] };
}

/** A runner that crashed (out of memory, or in native code) reports no test: its exit code is the only information. */
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

/** The path of a stage's report, which is not there yet. */
function freshReport(stage, name = 'report.json') {
  const path = join(folderOf(stage), name);
  mkdirSync(folderOf(stage), { recursive: true });
  rmSync(path, { force: true });
  return path;
}

/** The logs and pictures of its failed tests. */
function logsOf(stage) {
  return join(folderOf(stage), 'failed');
}

/** The report, or null when the runner died before it wrote one. */
function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}
