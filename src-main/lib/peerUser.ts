/** Finds out which user of this machine is at the other end of a local connection, so that others are refused. */

import { readFile } from 'node:fs/promises';
import { connect, createServer, isIPv4, type Socket } from 'node:net';
import { endianness } from 'node:os';

/** The user of the program at the other end of a local connection. */
type PeerUser = 'own' | 'root' | 'other' | 'unknown';

/** The two ends of a connection, as the server's socket reports them. */
export interface Ends {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Reads the system's table of connections: IPv4 or IPv6. Not cached. */
type ReadTable = (family: 4 | 6) => Promise<string>;

const readTable: ReadTable = (family) =>
  readFile(family === 4 ? '/proc/net/tcp' : '/proc/net/tcp6', 'latin1');

/**
 * Looks up the users of local connections in the system's tables (Linux). Connections that arrive together
 * share one reading, which takes some milliseconds; a connection that is not listed is looked up once more.
 */
export class PeerUsers {
  readonly #uid: number;
  readonly #tables: Readonly<Record<4 | 6, () => Promise<string>>>;

  constructor(uid: number, read: ReadTable = readTable) {
    this.#uid = uid;
    this.#tables = { 4: freshReadings(() => read(4)), 6: freshReadings(() => read(6)) };
  }

  async of(ends: Ends): Promise<PeerUser> {
    const owner = (await this.#ownerOf(ends)) ?? (await this.#ownerOf(ends));
    if (owner === null) return 'unknown';
    if (owner === this.#uid) return 'own';
    return owner === 0 ? 'root' : 'other';
  }

  async #ownerOf(ends: Ends): Promise<number | null> {
    for (const { family, place } of placesOf(ends)) {
      const owner = ownerAt(await this.#tables[family](), place);
      if (owner !== null) return owner;
    }
    return null;
  }
}

/** A function that returns a reading that started after the call: an earlier one may not contain the connection. */
function freshReadings(read: () => Promise<string>): () => Promise<string> {
  let current: Promise<string> | null = null;
  let next: Promise<string> | null = null;
  // An unreadable or missing table (no IPv6) lists no connections.
  const reading = (): Promise<string> => read().catch(() => '');
  const whenDone = (): void => {
    current = next;
    next = null;
  };
  return () => {
    if (current === null) {
      current = reading();
      void current.then(whenDone);
      return current;
    }
    if (next === null) {
      next = current.then(reading);
      void next.then(whenDone);
    }
    return next;
  };
}

/** Whether a connection comes from this machine. */
export function isLocal({
  remoteAddress,
  localAddress,
}: Pick<Ends, 'remoteAddress' | 'localAddress'>): boolean {
  const remote = plainAddress(remoteAddress);
  return (
    remote === '::1' || (isIPv4(remote) && remote.startsWith('127.')) || remote === plainAddress(localAddress)
  );
}

/** Makes a connection to itself and looks it up: whether this system can distinguish users at all. */
export async function canDistinguishUsers(users: Pick<PeerUsers, 'of'>): Promise<boolean> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number }; // it listens on TCP
  const client = connect(port, '127.0.0.1');
  try {
    const accepted = await new Promise<Socket>((resolve, reject) => {
      server.once('connection', resolve);
      client.once('error', reject);
    });
    const ends = endsOf(accepted);
    const user = ends === null ? 'unknown' : await users.of(ends);
    accepted.destroy();
    return user === 'own';
  } finally {
    client.destroy();
    server.close();
  }
}

/** The two ends of a socket; null once the connection is closed. */
export function endsOf(socket: Socket): Ends | null {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return null;
  return { remoteAddress, remotePort, localAddress, localPort };
}

/** The entries of the other end in the tables, the likelier table first. */
function placesOf(ends: Ends): readonly { readonly family: 4 | 6; readonly place: string }[] {
  const remote = plainAddress(ends.remoteAddress);
  const local = plainAddress(ends.localAddress);
  const place = (from: string, to: string): string =>
    ` ${hexOf(from)}:${port(ends.remotePort)} ${hexOf(to)}:${port(ends.localPort)} `;
  if (!isIPv4(remote) || !isIPv4(local)) return [{ family: 6, place: place(remote, local) }];
  // A program that uses IPv4 through an IPv6 socket is in the second table.
  return [
    { family: 4, place: place(remote, local) },
    { family: 6, place: place(`::ffff:${remote}`, `::ffff:${local}`) },
  ];
}

/** The user id of the live socket with this entry in a table. */
function ownerAt(table: string, place: string): number | null {
  const at = table.indexOf(place);
  if (at === -1) return null;
  const end = table.indexOf('\n', at);
  const fields = table
    .slice(at, end === -1 ? undefined : end)
    .trim()
    .split(/\s+/);
  const [uid, inode] = [Number(fields[6]), Number(fields[8])];
  // A socket that its program has closed has no inode, and is listed as root's for any user.
  return Number.isInteger(uid) && Number.isInteger(inode) && inode > 0 ? uid : null;
}

function port(number: number): string {
  return number.toString(16).toUpperCase().padStart(4, '0');
}

/** An IP address without a zone, and IPv4-mapped addresses as IPv4. */
function plainAddress(address: string): string {
  const plain = address.split('%', 1)[0]?.toLowerCase() ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  return mapped ?? plain;
}

/** An IP address in the format of the tables: 32-bit words, each in this machine's byte order. */
function hexOf(address: string): string {
  const bytes = isIPv4(address) ? address.split('.').map(Number) : bytesOfIPv6(address);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const word = bytes.slice(at, at + 4);
    if (endianness() === 'LE') word.reverse();
    text += word.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
  }
  return text;
}

function bytesOfIPv6(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const groups = (part: string): number[] =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (group.includes('.')) return group.split('.').map(Number);
          const value = Number.parseInt(group, 16);
          return [value >> 8, value & 0xff];
        });
  const [first, last] = [groups(head), groups(tail ?? '')];
  return [...first, ...new Array<number>(Math.max(0, 16 - first.length - last.length)).fill(0), ...last];
}
