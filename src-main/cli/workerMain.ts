import { hideServerSecrets } from '../config/serverEnvironment.ts';
import { launchedVerb } from '../worker/launched/launchedVerb.ts';
import { dispatch, type Listed } from './dispatch.ts';
import { worker } from './verbs/worker.ts';

/** `svc-worker`: the verb alone, as one file that runs on a bare Node (scripts/workerBundle.mjs). */
const WORKER: Listed = { summary: 'Run cells that other machines send here.', load: async () => worker };
const [first, ...rest] = process.argv.slice(2);
// What launches a worker hands its environment on; the worker itself has nothing started yet.
if (first !== 'launched') hideServerSecrets((words) => process.stderr.write(`svc-worker: ${words}\n`));
const ended =
  first === 'launched'
    ? launchedVerb(rest, process.argv[1] ?? '')
    : dispatch('svc-worker', WORKER, process.argv.slice(2));
void ended.then((code) => {
  // What a keeper listens to may stay open for ever.
  if (first === 'launched') process.exit(code);
  process.exitCode = code;
});
