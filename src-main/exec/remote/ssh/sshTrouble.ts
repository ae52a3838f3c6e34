import type { SshTrouble } from '../../../../src-shared/wire/routes/sshWorkers.ts';

/** A worker could not be had by ssh: which kind of trouble, and what to do in words. */
export class SshFailure extends Error {
  readonly trouble: SshTrouble;

  constructor(trouble: SshTrouble, message: string) {
    super(message);
    this.trouble = trouble;
  }
}

interface Row {
  readonly said: RegExp;
  readonly trouble: SshTrouble;
  readonly words: (target: string) => string;
}

/** What the system's ssh says, from the most to the least certain; its words are the same in every language. */
const ROWS: readonly Row[] = [
  {
    said: /REMOTE HOST IDENTIFICATION HAS CHANGED|host key for .* has changed/i,
    trouble: 'host_key_changed',
    words: (target) =>
      `The host key of ${target} has changed. The machine was reinstalled, or the connection is being intercepted. Check with its administrator. If the new key is correct, remove the old one (ssh-keygen -R HOST) and connect once in a terminal.`,
  },
  {
    said: /Host key verification failed|No .* host key is known|authenticity of host/i,
    trouble: 'host_key_unknown',
    words: (target) =>
      `The host key of ${target} is unknown. Connect once in a terminal (ssh ${target}), compare the fingerprint and accept it. Then try again.`,
  },
  {
    said: /Permission denied \(|Too many authentication failures|no more authentication methods/i,
    trouble: 'auth_refused',
    words: (target) =>
      `${target} refused the login. Passwords are not supported here. Set up a key that ssh uses automatically (ssh-add, or IdentityFile in ~/.ssh/config), so that "ssh ${target}" works without a prompt.`,
  },
  {
    said: /administratively prohibited|forwarding .*(disabled|prohibited)/i,
    trouble: 'tunnel_refused',
    words: (target) =>
      `${target} does not allow port forwarding, which the worker needs. Enable AllowTcpForwarding in its sshd_config.`,
  },
  {
    said: /Address already in use|cannot listen to port|Could not request local forwarding/i,
    trouble: 'local_port_taken',
    words: () =>
      'The local port for the connection is already in use. Choose another port, or leave it empty.',
  },
  {
    said: /Could not resolve hostname|connect to host|Connection (timed out|refused|closed|reset)|kex_exchange_identification|No route to host|Network is unreachable|Timeout, server/i,
    trouble: 'unreachable',
    words: (target) => `Couldn’t connect to ${target} over SSH.`,
  },
  {
    said: /Bad configuration option|terminating, \d+ bad configuration|Bad owner or permissions/i,
    trouble: 'other',
    words: () => 'ssh rejected its configuration file.',
  },
];

/** What ssh itself said when it ended without the other machine having answered, in words. */
export function readSshError(target: string, stderr: string): SshFailure {
  const said = stderr.trim();
  const row = ROWS.find((one) => one.said.test(said));
  const last = lastLine(said);
  if (row === undefined) {
    return new SshFailure('other', `ssh to ${target} failed${last === '' ? '.' : `: ${last}`}`);
  }
  const isSelfTold = row.trouble === 'unreachable' || row.trouble === 'other';
  return new SshFailure(
    row.trouble,
    isSelfTold ? `${row.words(target)} ssh says: ${last}` : row.words(target),
  );
}

function lastLine(text: string): string {
  return (text.split('\n').at(-1) ?? '')
    .trim()
    .replace(/^ssh: /, '')
    .slice(0, 300);
}
