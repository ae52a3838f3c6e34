/**
 * A process that runs the R cell in `argv[2]` in place of the server: a test kills it, and checks that R ends too. It
 * prints the output of the cell.
 */

import { createRRunner } from '../r/rRunner.ts';
import { testRequest } from './testRequest.ts';

const [, , source = '', dir = '', rscript = '', harnessDir = '', pool = '0'] = process.argv;
const runner = createRRunner({ harnessDir, envAllowlist: null, poolSize: Number(pool) });
await runner.prepare(rscript);
const interpreter = { path: rscript, identity: 'one' };
await runner.run(testRequest({ language: 'r', interpreter, source, cwd: dir, outputDir: dir }), {
  signal: new AbortController().signal,
  onConsole: ({ text }) => process.stdout.write(text),
});
