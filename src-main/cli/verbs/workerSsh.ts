import { UsageError } from '../arguments.ts';
import { onlyArgument, onTarget, type Said, textOf } from '../target/onTarget.ts';

/** The way to a worker lasts as long as the program that keeps it. @throws UsageError */
function asksServer({ place }: Said): void {
  if (place.kind === 'folder')
    throw new UsageError('a worker is brought by a running server: --server URL --session ID');
}

/** `svc worker add-ssh TARGET --server --session`: brings a worker to a machine by ssh (worker-details 18). */
export const workerAddSsh = onTarget({
  usage: 'TARGET',
  options: {
    name: { type: 'string', takes: 'NAME', says: 'What the worker is called; else as its host.' },
    'no-default': { type: 'boolean', default: false, says: 'Cells that name no worker stay where they are.' },
    'no-install': { type: 'boolean', default: false, says: 'Use only what that machine has.' },
  },
  needsEnvironment: () => false,
  prepare(said) {
    asksServer(said);
    const name = textOf(said.values['name']) ?? null;
    return {
      ...{ ssh_target: onlyArgument(said, 'one target of ssh'), name },
      set_default: said.values['no-default'] !== true,
      install: said.values['no-install'] !== true,
    };
  },
  async run(target, body) {
    const { worker } = await target.call('connectSshWorker', { params: { sid: target.sid }, body });
    return { answer: { worker }, human: `${worker.name} runs on ${worker.ssh_target}.` };
  },
});

/** `svc worker rm-ssh NAME --server --session`: closes the way to it; `--stop-remote` ends it there, too. */
export const workerRmSsh = onTarget({
  usage: 'NAME',
  options: { 'stop-remote': { type: 'boolean', default: false, says: 'End it on its machine, too.' } },
  needsEnvironment: () => false,
  prepare(said) {
    asksServer(said);
    return { name: onlyArgument(said, 'one worker'), stop: said.values['stop-remote'] === true };
  },
  async run(target, { name, stop }) {
    const { torn_down } = await target.call('disconnectSshWorker', {
      params: { sid: target.sid, name },
      query: { stop_remote: stop ? 'true' : 'false' },
    });
    const human = torn_down ? `${name} is detached.` : `No worker ${name} was started by ssh.`;
    return { answer: { torn_down }, human, code: torn_down ? 0 : 1 };
  },
});
