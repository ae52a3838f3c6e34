import { download } from './electron.mjs';

// node bringElectron.mjs <folder of npm's electron package>; the last line on stderr says what is wrong.
try {
  await download(process.argv[2]);
} catch (error) {
  const { cause } = error;
  const why = cause instanceof Error ? `: ${cause.message || cause.code}` : '';
  process.stderr.write(`${error.message}${why}\n`);
  process.exitCode = 1;
}
