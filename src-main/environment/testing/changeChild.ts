import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { doWork, type EnvironmentWork, type RequestedRWork } from '../environmentWork.ts';

/** For tests: does one piece of work in its own process, which may be killed at any moment. */
const [dir = '', uv = '', work = ''] = process.argv.slice(2);
const outcome = await doWork(JSON.parse(work) as Exclude<EnvironmentWork, RequestedRWork>, {
  dir: notebookFolder(dir),
  python: null,
  timeoutMs: 60_000,
  uv: { kind: 'found', path: uv, version: '', source: 'setting' },
});
process.stdout.write(`done ${outcome.kind} ${outcome.error ?? ''}\n`);
