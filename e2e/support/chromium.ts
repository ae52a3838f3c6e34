/** Chooses the Chromium that tests, benchmarks and screenshots run. */

import { existsSync } from 'node:fs';

/** The headless shell, whose pages start in half the time; otherwise the complete browser. */
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The `executablePath` for tests, benchmarks and screenshots: Debian's browser; else none, for Playwright's. */
export function chromiumProgram(): { readonly executablePath?: string } {
  const setting = process.env['CELLAR_TEST_CHROMIUM'];
  const program = setting === undefined || setting === '' ? DEBIAN.find(existsSync) : setting;
  return program === undefined ? {} : { executablePath: program };
}
