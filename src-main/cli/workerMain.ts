/** Entry point of `svc-worker`: the worker program as one file, which is installed on other machines over SSH. */

import { hideServerSecrets } from '../config/serverEnvironment.ts';
import { launchedVerb } from '../worker/launched/launchedVerb.ts';
import type { CommandEntry } from './commandTable.ts';
import { dispatch } from './dispatch.ts';
import { worker } from './verbs/worker.ts';

/** `svc-worker`: the command alone, as one file that runs on plain Node (scripts/workerBundle.mjs). */
const WORKER: CommandEntry = {
  summary: 'Run cells that other machines send here.',
  load: async () => worker,
};
const [first, ...rest] = process.argv.slice(2);
// A launcher passes its environment on; the worker itself has started nothing yet.
if (first !== 'launched') hideServerSecrets((message) => process.stderr.write(`svc-worker: ${message}\n`));
const exitCode =
  first === 'launched'
    ? launchedVerb(rest, process.argv[1] ?? '')
    : dispatch('svc-worker', WORKER, process.argv.slice(2));
void exitCode.then((code) => {
  // The listeners of the keeper process may stay open without limit.
  if (first === 'launched') process.exit(code);
  process.exitCode = code;
});
