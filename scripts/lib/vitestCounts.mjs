import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A vitest reporter that leaves the counts, with the reason of each skip and failure, in the file CELLAR_UNIT_COUNTS
 * names.
 */
class VitestCounts {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = {
      passed: 0,
      skipped: [],
      broken: unhandledErrors.map((error) => ['outside any test', said(error)]),
    };
    for (const module of modules) {
      // A file that cannot be loaded contributes no failed tests.
      for (const error of module.errors()) counts.broken.push([module.relativeModuleId, said(error)]);
      for (const test of module.children.allTests()) count(test, counts);
    }
    const path = process.env.CELLAR_UNIT_COUNTS;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ ...counts, failed: counts.broken.length }));
  }
}

function count(test, counts) {
  const { state, note, errors = [] } = test.result();
  if (state === 'passed') counts.passed += 1;
  else if (state === 'skipped') counts.skipped.push([test.fullName, note ?? 'marked in the test']);
  else counts.broken.push([test.fullName, said(errors[0])]);
}

function said(error) {
  return String(error?.message ?? error ?? 'it did not end').split('\n', 1)[0];
}

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter file's default export
export default VitestCounts;
