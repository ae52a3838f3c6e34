import { existsSync } from 'node:fs';

/** Without a window's own parts: its pages start in half the time. The whole browser where only that is installed. */
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The `executablePath` of the browser that tests, bench and pictures drive: a Debian's, else the one Playwright brings. */
export function chromiumProgram(): { readonly executablePath?: string } {
  const setting = process.env['CELLAR_TEST_CHROMIUM'];
  const program = setting === undefined || setting === '' ? DEBIAN.find(existsSync) : setting;
  return program === undefined ? {} : { executablePath: program };
}
