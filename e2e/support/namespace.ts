/** Network namespaces (Linux) for tests of broken connections. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const ip = (...args: string[]) => promisify(execFile)('ip', args);

/** A separate network with its own loopback, joined to this machine by one link. */
export interface Namespace {
  /** The addresses of this machine and of the namespace. */
  readonly outside: string;
  readonly inside: string;
  /** The words before a command that run it in the namespace. */
  readonly command: readonly string[];
  /** Connects or disconnects the link. */
  setLink(state: 'up' | 'down'): Promise<void>;
  dispose(): Promise<void>;
}

let namespaceCount = 0;

/** Why network namespaces are not available here, as a message; null if they are. */
export function whyNoNamespaces(): string | null {
  const name = `cellar-probe-${process.pid}`;
  const probe = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (probe.error !== undefined) return 'there is no `ip` command here';
  if (probe.status !== 0) return `no network namespace may be made here: ${probe.stderr.trim()}`;
  const link = ['link', 'add', `cp${process.pid}`, 'type', 'veth', 'peer', 'name', 'probe', 'netns', name];
  const linked = spawnSync('ip', link, { encoding: 'utf8' });
  // The link is deleted with its namespace.
  spawnSync('ip', ['netns', 'del', name]);
  return linked.status === 0 ? null : `no link between namespaces may be made here: ${linked.stderr.trim()}`;
}

/** @throws Error if {@link whyNoNamespaces} is not null */
export async function openNamespace(): Promise<Namespace> {
  namespaceCount += 1;
  const number = process.pid * 8 + namespaceCount;
  const name = `cellar-${process.pid}-${namespaceCount}`;
  const link = `cv${process.pid}x${namespaceCount}`;
  // A network of four private addresses, which are not routed.
  const net = `10.${200 + (Math.floor(number / 16_384) % 50)}.${Math.floor(number / 64) % 256}`;
  const [outside, inside] = [1, 2].map((host) => `${net}.${(number % 64) * 4 + host}`) as [string, string]; // two
  const dns = `/etc/netns/${name}`;
  await mkdir(dns, { recursive: true });
  await writeFile(`${dns}/resolv.conf`, `nameserver ${outside}\noptions timeout:1 attempts:1\n`);
  await ip('netns', 'add', name);
  await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'outside', 'netns', name);
  await ip('addr', 'add', `${outside}/30`, 'dev', link);
  await ip('link', 'set', link, 'up');
  await ip('-n', name, 'addr', 'add', `${inside}/30`, 'dev', 'outside');
  await ip('-n', name, 'link', 'set', 'lo', 'up');
  await ip('-n', name, 'link', 'set', 'outside', 'up');
  await ip('-n', name, 'route', 'add', 'default', 'via', outside);
  return {
    outside,
    inside,
    command: ['ip', 'netns', 'exec', name],
    async setLink(state) {
      await ip('link', 'set', link, state);
      // A link that is down loses its routes.
      if (state === 'up') await ip('-n', name, 'route', 'replace', 'default', 'via', outside);
    },
    async dispose() {
      await ip('link', 'del', link).catch(() => undefined);
      await ip('netns', 'del', name);
      await rm(dns, { recursive: true, force: true });
    },
  };
}
