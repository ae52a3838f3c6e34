/**
 * A process that runs the Python cell in `argv[2]` in place of the server, in the way that `argv[3]` names: a test kills
 * it, and checks that the cell's process ends too. It prints the output of the cell.
 */

import { createLocalExecutor } from '../localExecutor.ts';
import { testRequest } from './testRequest.ts';

const [, , source = '', way = 'forked', dir = '', python = '', harnessDir = ''] = process.argv;
const executor = createLocalExecutor({
  harnessDir,
  envAllowlist: null,
  poolSize: way === 'cold' ? 0 : 1,
  useTemplate: way === 'forked',
});
const interpreter = { path: python, identity: 'one' };
await executor.prepare(interpreter, []);
await executor.run(testRequest({ language: 'python', interpreter, source, cwd: dir, outputDir: dir }), {
  signal: new AbortController().signal,
  onConsole: ({ text }) => process.stdout.write(text),
});
