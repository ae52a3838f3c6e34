import { UsageError } from '../arguments.ts';
import { onlyArgument, onTarget, type Said, textOf } from '../place/onTarget.ts';

/** The way to a worker lasts as long as the program that keeps it. @throws UsageError */
function asksServer({ place }: Said): void {
  if (place.kind === 'folder')
    throw new UsageError('attaching over SSH needs a running server: use --server URL --session ID');
}

/** `svc worker add-ssh TARGET --server --session`: brings a worker to a machine by ssh (remote-execution 11). */
export const workerAddSsh = onTarget({
  usage: 'TARGET',
  options: {
    name: { type: 'string', takes: 'NAME', says: 'Name of the worker. Default: its host.' },
    'no-default': { type: 'boolean', default: false, says: 'Do not make it the default worker.' },
    'no-install': { type: 'boolean', default: false, says: 'Do not install anything on that machine.' },
  },
  needsEnvironment: () => false,
  prepare(said) {
    asksServer(said);
    const name = textOf(said.values['name']) ?? null;
    return {
      ...{ ssh_target: onlyArgument(said, 'one SSH destination'), name },
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
  options: {
    'stop-remote': { type: 'boolean', default: false, says: 'Also stop the worker on its machine.' },
  },
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
    const human = torn_down ? `Detached ${name}.` : `No worker ${name} was started over SSH.`;
    return { answer: { torn_down }, human, code: torn_down ? 0 : 1 };
  },
});
