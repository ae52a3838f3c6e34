/** Checks SSH destinations and builds the arguments of ssh, for workers that are started over SSH. */

/**
 * Options of ssh: the timeout for connecting, and how often it checks that the other side responds
 * (docs/spec/remote-execution.md, 9).
 */
const OPTIONS = ['BatchMode=yes', 'ConnectTimeout=10', 'ServerAliveInterval=15', 'ServerAliveCountMax=3'];
const MAX_TARGET = 255;
/** A user's ProxyCommand may put the target into a shell command; older versions of ssh do not check it. */
const SHELL_CHARACTERS = /['"`$;&|<>(){}]/;

/**
 * What is wrong with an SSH target, for users; null when it is valid. It is a host of `~/.ssh/config`, `user@host` or
 * `ssh://user@host:port`, never an option or two words.
 */
export function targetProblem(target: string): string | null {
  if (target === '') return 'Enter a host from ~/.ssh/config, or user@host.';
  if (target.length > MAX_TARGET) return `An SSH destination can have at most ${MAX_TARGET} characters.`;
  if (target.startsWith('-')) return 'An SSH destination cannot start with -.';
  if (!/^[^\s\p{C}]+$/u.test(target)) return 'An SSH destination cannot contain spaces. Use user@host.';
  return SHELL_CHARACTERS.test(target)
    ? 'An SSH destination is a user and a host, without special characters of a shell.'
    : null;
}

/** The name of a worker without one: the host, without invalid characters. */
export function nameOfTarget(target: string): string {
  const host = target
    .replace(/^ssh:\/\//, '')
    .replace(/^.*@/, '')
    .replace(/:\d+$/, '');
  const slug = host.replace(/[^a-zA-Z0-9._-]+/g, '-').replace(/^[^a-zA-Z0-9]+|-+$/g, '');
  return slug === '' || slug === 'local' ? 'ssh-worker' : slug.slice(0, 100);
}

export interface Forward {
  readonly localPort: number;
  readonly remotePort: number;
}

/**
 * The arguments for the system's ssh: the user's configuration, agent, known hosts and jump hosts apply, and ssh never
 * prompts. An unknown host key is refused unless the user's configuration accepts it.
 * @param command a line that every shell reads in the same way; see {@link shellLine}
 */
export function sshArguments(target: string, command: string, forward?: Forward): readonly string[] {
  // Uses a shared connection but never creates one. A tunnel has its own connection, or it would outlive its process.
  const options = [...OPTIONS, 'ControlMaster=no'];
  if (forward === undefined) options.push('ClearAllForwardings=yes');
  else options.push('ControlPath=none', 'ExitOnForwardFailure=yes');
  return [
    '-T',
    ...options.flatMap((option) => ['-o', option]),
    ...(forward === undefined
      ? []
      : ['-L', `127.0.0.1:${forward.localPort}:127.0.0.1:${forward.remotePort}`]),
    ...['--', target, command],
  ];
}

/** A word that no shell changes: sh, bash, zsh, fish or csh. */
const PLAIN_WORD = /^[A-Za-z0-9_./:,@%+-][A-Za-z0-9_./:,@%+=-]*$/;

/**
 * A line that any login shell reads in the same way: it starts sh with a script and its arguments.
 * @throws Error for a script or a word that some shell would change
 */
export function shellLine(script: string, words: readonly string[]): string {
  const unsafe = words.find((word) => !PLAIN_WORD.test(word));
  if (unsafe !== undefined) throw new Error(`${JSON.stringify(unsafe)} is no plain word for a shell`);
  if (/['\\!\n]/.test(script)) throw new Error("a script for another machine is one line without ' \\ and !");
  return ['exec', '/bin/sh', '-c', `'${script}'`, 'svc', ...words].join(' ');
}
