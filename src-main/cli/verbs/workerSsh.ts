/**
 * The commands `svc worker add-ssh` and `rm-ssh`: let a server start a worker on another machine over SSH, or end it.
 */

import { UsageError } from '../arguments.ts';
import { type CommandLine, onlyArgument, targetCommand, textOption } from '../place/targetCommand.ts';

/**
 * The connection to a worker lasts as long as the program that owns it, so these commands need a server. @throws
 * UsageError
 */
function requireServer({ place }: CommandLine): void {
  if (place.kind === 'folder')
    throw new UsageError('attaching over SSH needs a running server: use --server URL --session ID');
}

/**
 * `svc worker add-ssh TARGET --server --session`: starts a worker on a machine over SSH (docs/spec/remote-execution.md,
 * 11).
 */
export const workerAddSsh = targetCommand({
  usage: 'TARGET',
  options: {
    name: { type: 'string', takes: 'NAME', says: 'Name of the worker. Default: its host.' },
    'no-default': { type: 'boolean', default: false, says: 'Do not make it the default worker.' },
    'no-install': { type: 'boolean', default: false, says: 'Do not install anything on that machine.' },
  },
  needsEnvironment: () => false,
  prepare(line) {
    requireServer(line);
    const name = textOption(line.values['name']) ?? null;
    return {
      ssh_target: onlyArgument(line, 'one SSH destination'),
      name,
      set_default: line.values['no-default'] !== true,
      install: line.values['no-install'] !== true,
    };
  },
  async run(target, body) {
    const { worker } = await target.call('connectSshWorker', { params: { sid: target.sid }, body });
    return { answer: { worker }, human: `${worker.name} runs on ${worker.ssh_target}.` };
  },
});

/** `svc worker rm-ssh NAME --server --session`: closes the connection to it; `--stop-remote` also ends it there. */
export const workerRmSsh = targetCommand({
  usage: 'NAME',
  options: {
    'stop-remote': { type: 'boolean', default: false, says: 'Also stop the worker on its machine.' },
  },
  needsEnvironment: () => false,
  prepare(line) {
    requireServer(line);
    return { name: onlyArgument(line, 'one worker'), stop: line.values['stop-remote'] === true };
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
