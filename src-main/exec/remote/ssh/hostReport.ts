/** Finds out over SSH which system and which Node another machine has, before a worker is started there. */

import { SshFailure } from './sshTrouble.ts';

/** The oldest supported Node of a worker, which must remove secrets from its environment block (docs/worker.md). */
const OLDEST_NODE = [22, 15] as const;

/**
 * A one-line sh script that prints the system of a machine and its Node versions: those in the PATH, and those in usual
 * places that are missing from the PATH of a session without a terminal.
 */
export const HOST_SCRIPT = [
  'echo "system $(uname -s) $(uname -m)";',
  'for n in "$(command -v node)" /usr/local/bin/node /opt/homebrew/bin/node /snap/bin/node',
  '"$HOME"/.volta/bin/node "$HOME"/.local/bin/node "$HOME"/.nvm/versions/node/*/bin/node',
  '"$HOME"/.local/share/fnm/node-versions/*/installation/bin/node;',
  'do if [ -n "$n" ] && [ -x "$n" ]; then echo "node $("$n" --version) $n"; fi; done;',
  'if [ -f "$HOME/.svc/worker/$1/svc-worker.cjs" ]; then echo "installed $1"; fi; echo "end"',
].join(' ');

interface HostReport {
  readonly system: string;
  /** The newest Node of the machine that is new enough. */
  readonly node: string;
  readonly installed: boolean;
}

/** A path that needs no quoting in a shell. */
const PLAIN_PATH = /^\/[A-Za-z0-9_./@+-]+$/;

/**
 * Parses the script's output; ignores what a shell profile prints around it.
 * @throws SshFailure no_node, old_node, other
 */
export function readHostReport(target: string, stdout: string): HostReport {
  const lines = stdout.split('\n').map((line) => line.trim());
  if (!lines.includes('end')) {
    throw new SshFailure(
      'other',
      `${target} accepted the login but ran no command. The account has no regular shell, or allows only certain commands.`,
    );
  }
  const system = lines.find((line) => line.startsWith('system '))?.slice('system '.length) ?? '';
  const nodes = lines.flatMap((line) => {
    const [, major, minor, path] = /^node v(\d+)\.(\d+)\.\S+ (.+)$/.exec(line) ?? [];
    if (path === undefined || !PLAIN_PATH.test(path)) return [];
    return [{ major: Number(major), minor: Number(minor), path }];
  });
  const newest = nodes.sort((a, b) => b.major - a.major || b.minor - a.minor)[0];
  const required = OLDEST_NODE.join('.');
  if (newest === undefined) {
    throw new SshFailure(
      'no_node',
      `Node is not installed on ${target}. Install Node ${required} or newer there, and Python for Python cells.`,
    );
  }
  const { major, minor, path } = newest;
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new SshFailure(
      'old_node',
      `The newest Node on ${target} is ${major}.${minor} (${path}); a worker needs ${required} or newer. Update Node there.`,
    );
  }
  return { system, node: path, installed: lines.some((line) => line.startsWith('installed ')) };
}
