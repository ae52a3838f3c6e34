import { expect, it } from 'vitest';
import { PeerUsers } from '../lib/peerUser.ts';
import { whoCanReach } from './whoCanReach.ts';

const BLIND = new PeerUsers(1, async () => '');

it.each([
  ['Linux', { platform: 'linux' as const }, true, null],
  ['a token', { platform: 'darwin' as const, hasToken: true }, false, null],
  [
    'others allowed',
    { platform: 'linux' as const, allowOtherUsers: true },
    false,
    /every user .* --allow-other-users/,
  ],
  ['macOS', { platform: 'darwin' as const }, false, /every user of this machine .* only Linux .* --token/],
  ['Windows', { platform: 'win32' as const }, false, /every user of this machine/],
  [
    'a Linux that does not show who owns a connection',
    { platform: 'linux' as const, users: BLIND },
    false,
    /does not show whose/,
  ],
  ['every address', { platform: 'linux' as const, host: '0.0.0.0' }, true, /anyone who can reach 0\.0\.0\.0/],
] as const)(
  '[SG-69] the start message states who can reach the server: %s',
  async (name, more, checks, warning) => {
    // On other systems the owner of a connection cannot be looked up.
    if (process.platform !== 'linux' && checks) return;
    const reach = await whoCanReach({ host: '127.0.0.1', allowOtherUsers: false, hasToken: false, ...more });
    expect(reach.peers !== 'all', name).toBe(checks);
    if (warning === null) expect(reach.warning).toBe(null);
    else expect(reach.warning).toMatch(warning);
  },
);
