/** A server for the tests to kill: runs the cell `argv[2]` the way `argv[3]` names, prints what it prints. */
import { createLocalExecutor } from './localExecutor.ts';

const [, , source = '', way = 'forked', dir = '', python = '', harnessDir = ''] = process.argv;
const executor = createLocalExecutor({
  harnessDir,
  envAllowlist: null,
  poolSize: way === 'cold' ? 0 : 1,
  useTemplate: way === 'forked',
});
const interpreter = { path: python, identity: 'one' };
await executor.prepare(interpreter, []);
await executor.run(
  {
    runId: 'r',
    cellId: 'c',
    cellName: 'c',
    language: 'python',
    interpreter,
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
