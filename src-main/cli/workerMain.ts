import { worker } from './verbs/worker.ts';

/** `svc-worker`: the verb alone, as one file that runs on a bare Node (scripts/workerBundle.mjs). */
void worker(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
