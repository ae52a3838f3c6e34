/** A server for the tests to kill: runs the R cell `argv[2]`, prints what it prints. */
import { createRRunner } from './rRunner.ts';

const [, , source = '', dir = '', rscript = '', harnessDir = '', pool = '0'] = process.argv;
const runner = createRRunner({ harnessDir, envAllowlist: null, poolSize: Number(pool) });
await runner.prepare(rscript);
await runner.run(
  {
    runId: 'r',
    cellId: 'c',
    cellName: 'c',
    language: 'r',
    interpreter: { path: rscript, identity: 'one' },
    source,
    inputs: {},
    env: {},
    store: [],
    mutationDefines: [],
    timeoutSeconds: 60,
    cwd: dir,
    outputDir: dir,
    mode: 'auto',
  },
  { signal: new AbortController().signal, onConsole: ({ text }) => process.stdout.write(text) },
);
