import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A vitest reporter that leaves the counts, with the reason of each skip, in the file CELLAR_UNIT_COUNTS names. */
class VitestCounts {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      // A file that cannot be loaded has no tests that could fail.
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) count(test, counts);
    }
    const path = process.env.CELLAR_UNIT_COUNTS;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(counts));
  }
}

function count(test, counts) {
  const { state, note } = test.result();
  if (state === 'passed') counts.passed += 1;
  else if (state === 'skipped') counts.skipped.push([test.fullName, note ?? 'marked in the test']);
  else counts.failed += 1;
}

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter file's default export
export default VitestCounts;
