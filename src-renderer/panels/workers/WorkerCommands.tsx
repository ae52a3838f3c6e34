import { WORKER_COMMANDS, WORKER_WORDS } from '../../ui/words/workers.ts';

/** What to type on the machine that is to become a worker. */
export function WorkerCommands() {
  return (
    <details className="worker-commands">
      <summary>{WORKER_WORDS.commandTitle}</summary>
      <p className="panel-quiet">{WORKER_WORDS.commandDirect}</p>
      <pre>{WORKER_COMMANDS.direct}</pre>
      <p className="panel-quiet">{WORKER_WORDS.commandRelay}</p>
      <pre>{WORKER_COMMANDS.relay}</pre>
    </details>
  );
}
