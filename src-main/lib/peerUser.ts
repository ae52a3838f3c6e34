import { readFile } from 'node:fs/promises';
import { connect, createServer, isIPv4, type Socket } from 'node:net';
import { endianness } from 'node:os';

/** Whose program is at the other end of a connection within this machine. */
export type PeerUser = 'own' | 'root' | 'other' | 'unknown';

/** The two ends of a connection, as the server's socket names them. */
export interface Ends {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** The tables of the system's connections: IPv4, then IPv6. Read anew by each call. */
export type ReadTable = (family: 4 | 6) => Promise<string>;

const readTable: ReadTable = (family) =>
  readFile(family === 4 ? '/proc/net/tcp' : '/proc/net/tcp6', 'latin1');

/**
 * Looks up the users of local connections in the system's tables (Linux). Connections that arrive together share a
 * reading; one that is not in the tables is looked for once more.
 */
export class PeerUsers {
  readonly #read: ReadTable;
  readonly #uid: number;
  #current: Promise<readonly [string, string]> | null = null;
  #next: Promise<readonly [string, string]> | null = null;

  constructor(uid: number, read: ReadTable = readTable) {
    this.#uid = uid;
    this.#read = read;
  }

  async of(ends: Ends): Promise<PeerUser> {
    const first = ownerIn(await this.#tables(), ends);
    const owner = first ?? ownerIn(await this.#tables(), ends);
    if (owner === null) return 'unknown';
    if (owner === this.#uid) return 'own';
    return owner === 0 ? 'root' : 'other';
  }

  /** Tables whose reading began after this call: one that began before may not have seen the connection. */
  #tables(): Promise<readonly [string, string]> {
    if (this.#current === null) {
      this.#current = this.#readBoth().finally(() => {
        this.#current = this.#next;
        this.#next = null;
      });
      return this.#current;
    }
    if (this.#next === null) {
      const read = () => this.#readBoth();
      const next = this.#current.then(read, read).finally(() => {
        if (this.#current === next) {
          this.#current = this.#next;
          this.#next = null;
        }
      });
      this.#next = next;
    }
    return this.#next;
  }

  #readBoth(): Promise<readonly [string, string]> {
    // A system without IPv6 has no second table; a table that cannot be read shows nobody.
    return Promise.all([this.#read(4).catch(() => ''), this.#read(6).catch(() => '')]);
  }
}

/** Whether a connection comes from this machine itself. */
export function isLocal({
  remoteAddress,
  localAddress,
}: Pick<Ends, 'remoteAddress' | 'localAddress'>): boolean {
  const remote = plainAddress(remoteAddress);
  return (
    remote === '::1' || (isIPv4(remote) && remote.startsWith('127.')) || remote === plainAddress(localAddress)
  );
}

/** Makes a connection to itself and looks it up: whether this system can tell users apart at all. */
export async function canTellPeers(users: Pick<PeerUsers, 'of'>): Promise<boolean> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number }; // it listens to TCP
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

/** Null once the connection is gone. */
export function endsOf(socket: Socket): Ends | null {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return null;
  return { remoteAddress, remotePort, localAddress, localPort };
}

/** The user id of the socket at the other end; null where no live socket is listed for it. */
export function ownerIn([four, six]: readonly [string, string], ends: Ends): number | null {
  const remote = plainAddress(ends.remoteAddress);
  const local = plainAddress(ends.localAddress);
  // A program that speaks IPv4 by a socket of IPv6 is in the second table.
  const texts: readonly (readonly [string, string, string])[] =
    isIPv4(remote) && isIPv4(local)
      ? [
          [four, hexOf(remote), hexOf(local)],
          [six, hexOf(`::ffff:${remote}`), hexOf(`::ffff:${local}`)],
        ]
      : [[six, hexOf(remote), hexOf(local)]];
  for (const [table, from, to] of texts) {
    const place = ` ${from}:${port(ends.remotePort)} ${to}:${port(ends.localPort)} `;
    const at = table.indexOf(place);
    if (at === -1) continue;
    const end = table.indexOf('\n', at);
    const fields = table
      .slice(at, end === -1 ? undefined : end)
      .trim()
      .split(/\s+/);
    const [uid, inode] = [Number(fields[6]), Number(fields[8])];
    // A socket whose program let go of it has no inode, and is listed as root's whoever it was.
    if (Number.isInteger(uid) && Number.isInteger(inode) && inode > 0) return uid;
  }
  return null;
}

function port(number: number): string {
  return number.toString(16).toUpperCase().padStart(4, '0');
}

/** Without a zone, and IPv4 as IPv4. */
function plainAddress(address: string): string {
  const plain = address.split('%', 1)[0]?.toLowerCase() ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  return mapped ?? plain;
}

/** As the tables write it: words of 32 bits, each as this machine has it in memory. */
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
