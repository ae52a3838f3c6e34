/** How long ssh may take to connect, and how often it asks whether the other side is still there (remote-execution 9). */
const OPTIONS = ['BatchMode=yes', 'ConnectTimeout=10', 'ServerAliveInterval=15', 'ServerAliveCountMax=3'];
const MOST_TARGET = 255;
/** A ProxyCommand of the person's may put the target into a line for a shell; older ssh let these through. */
const SHELL_SIGNS = /['"`$;&|<>(){}]/;

/**
 * What is wrong with a target of ssh, in words; null where nothing is. It is a word of `~/.ssh/config`, `user@host` or
 * `ssh://user@host:port`, never an option nor two words.
 */
export function whyNoTarget(target: string): string | null {
  if (target === '') return 'Enter a host from ~/.ssh/config, or user@host.';
  if (target.length > MOST_TARGET) return `An SSH destination can have at most ${MOST_TARGET} characters.`;
  if (target.startsWith('-')) return 'An SSH destination cannot start with -.';
  if (!/^[^\s\p{C}]+$/u.test(target)) return 'An SSH destination cannot contain spaces. Use user@host.';
  return SHELL_SIGNS.test(target)
    ? 'An SSH destination is a user and a host, without special characters of a shell.'
    : null;
}

/** The name of a worker nobody named: the host, made to fit. */
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
 * The arguments of the system's own ssh: the person's configuration, agent, known hosts and jumps stay in force, and
 * nothing is asked of anybody. A host key nobody knows is refused, as the person's configuration says.
 * @param command a line that every shell reads alike; see {@link shellLine}
 */
export function sshArguments(target: string, command: string, forward?: Forward): readonly string[] {
  // A connection the person shares is used and never made; a tunnel is one of its own, or it would outlive its process.
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

/** A word that no shell changes: not sh, bash, zsh, fish nor csh. */
const PLAIN_WORD = /^[A-Za-z0-9_./:,@%+-][A-Za-z0-9_./:,@%+=-]*$/;

/**
 * A line that whatever shell the account has reads alike: it starts sh with a script and its words.
 * @throws Error for a script or a word that some shell would change
 */
export function shellLine(script: string, words: readonly string[]): string {
  const wrong = words.find((word) => !PLAIN_WORD.test(word));
  if (wrong !== undefined) throw new Error(`${JSON.stringify(wrong)} is no plain word for a shell`);
  if (/['\\!\n]/.test(script)) throw new Error("a script for another machine is one line without ' \\ and !");
  return ['exec', '/bin/sh', '-c', `'${script}'`, 'svc', ...words].join(' ');
}
