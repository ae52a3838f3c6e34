/**
 * `node bringElectron.mjs <folder of npm's electron package>`: downloads Electron in a process of its own, started by
 * electron.mjs. After a failure, the last line on stderr is the reason.
 */

import { download } from './electron.mjs';

try {
  await download(process.argv[2]);
} catch (error) {
  const { cause } = error;
  const why = cause instanceof Error ? `: ${cause.message || cause.code}` : '';
  process.stderr.write(`${error.message}${why}\n`);
  process.exitCode = 1;
}
