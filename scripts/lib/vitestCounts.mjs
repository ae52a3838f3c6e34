/** Vitest's reporter for `npm test`: writes the counts of passed, failed, skipped and flaky tests to a file. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { repeatCommand } from './repeatCommand.mjs';

/**
 * A vitest reporter that leaves the counts in the file CELLAR_UNIT_COUNTS names: {passed, failed, skipped: [[name,
 * reason]], broken: [[name, message]], flaky: [[name, first error]]}. A flaky test passed at its second try. The whole
 * errors and the console output of both kinds go to CELLAR_UNIT_LOGS, one file per test.
 */
class VitestCounts {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = {
      passed: 0,
      skipped: [],
      broken: unhandledErrors.map((error) => ['outside any test', said(error)]),
      flaky: [],
    };
    rmSync(process.env.CELLAR_UNIT_LOGS, { recursive: true, force: true });
    for (const module of modules) {
      // A file that cannot be loaded contributes no failed tests.
      for (const error of module.errors()) {
        const repeat = repeatCommand(process.env.CELLAR_UNIT_STAGE, [module.relativeModuleId]);
        counts.broken.push([module.relativeModuleId, `${said(error)}${repeat}`]);
      }
      for (const test of module.children.allTests()) count(test, counts);
    }
    const path = process.env.CELLAR_UNIT_COUNTS;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ ...counts, failed: counts.broken.length }));
  }
}

function count(test, counts) {
  const { state, note, errors = [] } = test.result();
  if (state === 'skipped') return counts.skipped.push([test.fullName, note ?? 'marked in the test']);
  if (state === 'passed') counts.passed += 1;
  // A test that is expected to fail passes with its error.
  const isFlaky = state === 'passed' && test.diagnostic()?.flaky === true;
  if (state === 'passed' && !isFlaky) return;
  const kind = isFlaky ? counts.flaky : counts.broken;
  const log = writeLog(test, errors, counts.broken.length + counts.flaky.length + 1);
  const { relativeModuleId: file } = test.module;
  const repeat = repeatCommand(process.env.CELLAR_UNIT_STAGE, [file, '-t', pattern(test.fullName)]);
  kind.push([test.fullName, `${said(errors[0])}${repeat}\n    log: ${log}`]);
}

/** Everything known of one test that failed at least once. @returns the file's path */
function writeLog(test, errors, number) {
  const words = test.name.replaceAll(/[^\w]+/g, '-').slice(0, 60);
  const path = join(process.env.CELLAR_UNIT_LOGS, `${number}-${words}.txt`);
  const printed = (test.task?.logs ?? []).map(({ type, content }) => `[${type}] ${content}`);
  const parts = errors.map(({ message, diff, stack, stacks }) =>
    [message, diff, stack ?? (stacks ?? []).map(({ file, line }) => `${file}:${line}`).join('\n')]
      .filter(Boolean)
      .join('\n\n'),
  );
  mkdirSync(dirname(path), { recursive: true });
  const { relativeModuleId: file } = test.module;
  const text = [`${file}: ${test.fullName}`, ...parts, ...printed].join('\n\n');
  writeFileSync(path, stripVTControlCharacters(text));
  return path;
}

/** What `-t` takes: a regular expression over the names from the outermost group on, joined by spaces. */
function pattern(fullName) {
  return `^${fullName.replaceAll(' > ', ' ').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
}

function said(error) {
  return String(error?.message ?? error ?? 'it did not end').split('\n', 1)[0];
}

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter file's default export
export default VitestCounts;
