import { describe, expect, it } from 'vitest';
import { canDistinguishUsers, type Ends, isLocal, PeerUsers } from './peerUser.ts';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (from: string, to: string, uid: number, inode: number): string =>
  `   2: ${from} ${to} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 00000000c2f286ac 20 4 30 10 -1\n`;
const MAPPED = '0000000000000000FFFF00000100007F';
const SIX = '00000000000000000000000001000000';

const four: Ends = {
  remoteAddress: '127.0.0.1',
  remotePort: 0x9863,
  localAddress: '127.0.0.1',
  localPort: 0x223d,
};
const mapped: Ends = { ...four, remoteAddress: '::ffff:127.0.0.1', localAddress: '::ffff:127.0.0.1' };
const six: Ends = { ...four, remoteAddress: '::1', localAddress: '::1' };

const ROWS: readonly (readonly [
  name: string,
  four: string,
  six: string,
  ends: Ends,
  owner: number | null,
])[] = [
  ['its line', line('0100007F:9863', '0100007F:223D', 1000, 7), '', four, 1000],
  ['root', line('0100007F:9863', '0100007F:223D', 0, 7), '', four, 0],
  ['the other direction', line('0100007F:223D', '0100007F:9863', 1000, 7), '', four, null],
  ['another port', line('0100007F:9864', '0100007F:223D', 1000, 7), '', four, null],
  ['a socket that no process holds', line('0100007F:9863', '0100007F:223D', 0, 0), '', four, null],
  ['nothing', '', '', four, null],
  ['a line cut short', line('0100007F:9863', '0100007F:223D', 1000, 7).slice(0, 40), '', four, null],
  ['IPv4 by a socket of IPv6', '', line(`${MAPPED}:9863`, `${MAPPED}:223D`, 1000, 7), four, 1000],
  ['a server of IPv6', line('0100007F:9863', '0100007F:223D', 1000, 7), '', mapped, 1000],
  ['IPv6', '', line(`${SIX}:9863`, `${SIX}:223D`, 1000, 7), six, 1000],
  ['IPv6 in the table of IPv4', line('0100007F:9863', '0100007F:223D', 1000, 7), '', six, null],
];

describe('[SG-66] the user at the other end of a connection', () => {
  it.each(ROWS)('%s', async (_name, fourth, sixth, ends, owner) => {
    const users = new PeerUsers(1000, async (family) => HEAD + (family === 4 ? fourth : sixth));
    const user = owner === null ? 'unknown' : owner === 0 ? 'root' : 'own';
    expect(await users.of(ends)).toBe(user);
  });

  it.each([
    [1000, [line('0100007F:9863', '0100007F:223D', 1000, 7)], 'own'],
    [1000, [line('0100007F:9863', '0100007F:223D', 0, 7)], 'root'],
    [1000, [line('0100007F:9863', '0100007F:223D', 1001, 7)], 'other'],
    [1000, [''], 'unknown'],
    [1000, ['', line('0100007F:9863', '0100007F:223D', 1000, 7)], 'own'],
    [1000, ['', '', line('0100007F:9863', '0100007F:223D', 1000, 7)], 'unknown'],
  ] as const)('user %i, tables %#: %s', async (uid, tables, user) => {
    let reading = 0;
    const users = new PeerUsers(uid, async (family) => {
      if (family === 6) return '';
      reading += 1;
      return HEAD + (tables[reading - 1] ?? '');
    });
    expect(await users.of(four)).toBe(user);
    expect(reading).toBeLessThanOrEqual(2);
  });

  it('a lookup uses no read of the table that began before it; waiting lookups share one read', async () => {
    const started: (() => void)[] = [];
    const users = new PeerUsers(1, (family) =>
      family === 6
        ? Promise.resolve('')
        : new Promise((resolve) => started.push(() => resolve(line('0100007F:9863', '0100007F:223D', 1, 7)))),
    );
    const lookups = [users.of(four), users.of(four), users.of(four)];
    expect(started.length).toBe(1);
    started[0]?.();
    await lookups[0];
    await new Promise((resolve) => setImmediate(resolve));
    expect(started.length).toBe(2);
    const late = users.of(four);
    started[1]?.();
    expect(await Promise.all([lookups[1], lookups[2]])).toEqual(['own', 'own']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(started.length).toBe(3);
    started[2]?.();
    expect(await late).toBe('own');
  });

  it.runIf(process.platform === 'linux')('this system shows a local connection', async () => {
    expect(await canDistinguishUsers(new PeerUsers(process.getuid?.() ?? -1))).toBe(true);
    expect(await canDistinguishUsers(new PeerUsers(process.getuid?.() ?? -1, async () => ''))).toBe(false);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['127.8.0.1', '127.0.0.1', true],
    ['::1', '::1', true],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1', true],
    ['192.168.1.7', '192.168.1.7', true],
    ['192.168.1.8', '192.168.1.7', false],
    ['fe80::1%eth0', 'fe80::1', true],
  ])('%s to %s is within this machine: %s', (remoteAddress, localAddress, local) => {
    expect(isLocal({ remoteAddress, localAddress })).toBe(local);
  });
});
