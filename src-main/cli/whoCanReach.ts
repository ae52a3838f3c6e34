/** Decides which users of this machine a personal server answers, and warns at its start if others can use it. */

import { canDistinguishUsers, PeerUsers } from '../lib/peerUser.ts';

interface Reach {
  /** Whose connections from this machine are answered. */
  readonly peers: PeerUsers | 'all';
  /** Shown at start if other users can use the server. */
  readonly warning: string | null;
}

interface ReachOptions {
  readonly host: string;
  readonly allowOtherUsers: boolean;
  readonly hasToken: boolean;
  readonly platform?: NodeJS.Platform;
  readonly users?: PeerUsers;
}

/**
 * Who can reach a personal server, which requires no credential unless it has a token (docs/spec/rest-core.md, 1, 3,
 * 5). On Linux the system reports the owner of a connection, so that only this user's are answered.
 */
export async function whoCanReach(options: ReachOptions): Promise<Reach> {
  const { host, allowOtherUsers, hasToken, platform = process.platform } = options;
  const peers = await peersOf(options, platform);
  if (hasToken) return { peers, warning: null };
  if (!isLoopback(host)) {
    const warning = `WARNING: anyone who can reach ${host} can use this server, read its notebooks and run code as you. Start it with --token to require a token.`;
    return { peers, warning };
  }
  if (peers !== 'all') return { peers, warning: null };
  const why = allowOtherUsers
    ? 'because of --allow-other-users'
    : platform === 'linux'
      ? 'because this system does not show whose program connects'
      : 'because only Linux shows a server whose program connects';
  const warning = `WARNING: every user of this machine can use this server, read its notebooks and run code as you, ${why}. Start it with --token to require a token.`;
  return { peers, warning };
}

async function peersOf(
  { allowOtherUsers, users }: ReachOptions,
  platform: NodeJS.Platform,
): Promise<PeerUsers | 'all'> {
  if (allowOtherUsers || platform !== 'linux') return 'all';
  const own = users ?? new PeerUsers(process.geteuid?.() ?? -1);
  return (await canDistinguishUsers(own)) ? own : 'all';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}
