/** Explains the errors of ssh to users, for workers that are started over SSH. */

import type { SshTrouble } from '../../../../src-shared/wire/routes/sshWorkers.ts';

/** The error for a worker that could not be started or reached over SSH; the message tells users what to do. */
export class SshFailure extends Error {
  readonly trouble: SshTrouble;

  constructor(trouble: SshTrouble, message: string) {
    super(message);
    this.trouble = trouble;
  }
}

/** A message of ssh and what it means. */
interface Row {
  readonly pattern: RegExp;
  readonly trouble: SshTrouble;
  readonly message: (target: string) => string;
}

/** Messages of the system's ssh, from the most to the least specific. They are not translated. */
const ROWS: readonly Row[] = [
  {
    pattern: /REMOTE HOST IDENTIFICATION HAS CHANGED|host key for .* has changed/i,
    trouble: 'host_key_changed',
    message: (target) =>
      `The host key of ${target} has changed. The machine was reinstalled, or the connection is being intercepted. Check with its administrator. If the new key is correct, remove the old one (ssh-keygen -R HOST) and connect once in a terminal.`,
  },
  {
    pattern: /Host key verification failed|No .* host key is known|authenticity of host/i,
    trouble: 'host_key_unknown',
    message: (target) =>
      `The host key of ${target} is unknown. Connect once in a terminal (ssh ${target}), compare the fingerprint and accept it. Then try again.`,
  },
  {
    pattern: /Permission denied \(|Too many authentication failures|no more authentication methods/i,
    trouble: 'auth_refused',
    message: (target) =>
      `${target} refused the login. Passwords are not supported here. Set up a key that ssh uses automatically (ssh-add, or IdentityFile in ~/.ssh/config), so that "ssh ${target}" works without a prompt.`,
  },
  {
    pattern: /administratively prohibited|forwarding .*(disabled|prohibited)/i,
    trouble: 'tunnel_refused',
    message: (target) =>
      `${target} does not allow port forwarding, which the worker needs. Enable AllowTcpForwarding in its sshd_config.`,
  },
  {
    pattern: /Address already in use|cannot listen to port|Could not request local forwarding/i,
    trouble: 'local_port_taken',
    message: () =>
      'The local port for the connection is already in use. Choose another port, or leave it empty.',
  },
  {
    pattern:
      /Could not resolve hostname|connect to host|Connection (timed out|refused|closed|reset)|kex_exchange_identification|No route to host|Network is unreachable|Timeout, server/i,
    trouble: 'unreachable',
    message: (target) => `Couldn’t connect to ${target} over SSH.`,
  },
  {
    pattern: /Bad configuration option|terminating, \d+ bad configuration|Bad owner or permissions/i,
    trouble: 'other',
    message: () => 'ssh rejected its configuration file.',
  },
];

/** The failure that ssh's own message means, when ssh ended without an answer of the other machine. */
export function readSshError(target: string, stderr: string): SshFailure {
  const output = stderr.trim();
  const row = ROWS.find((one) => one.pattern.test(output));
  const last = lastLine(output);
  if (row === undefined) {
    return new SshFailure('other', `ssh to ${target} failed${last === '' ? '.' : `: ${last}`}`);
  }
  const needsDetail = row.trouble === 'unreachable' || row.trouble === 'other';
  return new SshFailure(
    row.trouble,
    needsDetail ? `${row.message(target)} ssh says: ${last}` : row.message(target),
  );
}

function lastLine(text: string): string {
  return (text.split('\n').at(-1) ?? '')
    .trim()
    .replace(/^ssh: /, '')
    .slice(0, 300);
}
