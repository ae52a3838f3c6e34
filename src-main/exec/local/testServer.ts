/** A program that tests kill while it runs the cell `argv[2]` in the way that `argv[3]` names, as the server does. */
import { createLocalExecutor } from './localExecutor.ts';
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
