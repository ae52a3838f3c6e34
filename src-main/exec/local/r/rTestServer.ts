/** A program that tests kill while it runs the R cell `argv[2]`, as the server does, and prints its output. */
import { testRequest } from '../testRequest.ts';
import { createRRunner } from './rRunner.ts';

const [, , source = '', dir = '', rscript = '', harnessDir = '', pool = '0'] = process.argv;
const runner = createRRunner({ harnessDir, envAllowlist: null, poolSize: Number(pool) });
await runner.prepare(rscript);
const interpreter = { path: rscript, identity: 'one' };
await runner.run(testRequest({ language: 'r', interpreter, source, cwd: dir, outputDir: dir }), {
  signal: new AbortController().signal,
  onConsole: ({ text }) => process.stdout.write(text),
});
