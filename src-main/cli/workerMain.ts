import { launchedVerb } from '../worker/launched/launchedVerb.ts';
import { worker } from './verbs/worker.ts';

/** `svc-worker`: the verb alone, as one file that runs on a bare Node (scripts/workerBundle.mjs). */
const [first, ...rest] = process.argv.slice(2);
const ended =
  first === 'launched' ? launchedVerb(rest, process.argv[1] ?? '') : worker(process.argv.slice(2));
void ended.then((code) => {
  // What a keeper listens to may stay open for ever.
  if (first === 'launched') process.exit(code);
  process.exitCode = code;
});
