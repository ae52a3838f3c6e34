/** A DNS server on loopback with scripted answers, for tests of name lookups. */

import { createSocket } from 'node:dgram';

/** Answers questions for IPv4 addresses; every other question has no answer. */
export interface NameServer {
  /** Each name and how often it was looked up. */
  readonly asked: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** @param addressOf the address of a name at its n-th lookup, from 1; null if the name does not exist */
export async function startNameServer(
  host: string,
  addressOf: (name: string, time: number) => string | null,
): Promise<NameServer> {
  const lookups = new Map<string, number>();
  const socket = createSocket('udp4', (query, from) => {
    const { name, type, end } = questionOf(query);
    const isV4 = type === 1;
    const time = (lookups.get(name) ?? 0) + (isV4 ? 1 : 0);
    lookups.set(name, time);
    const address = addressOf(name, Math.max(time, 1));
    const answers = isV4 && address !== null ? 1 : 0;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(address === null ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers, 6);
    const record = Buffer.from([
      0xc0,
      12,
      0,
      1,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      4,
      ...(address ?? '').split('.').map(Number),
    ]);
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...(answers === 1 ? [record] : [])]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((done, fail) => {
    socket.once('error', fail);
    socket.bind(53, host, done);
  });
  return { asked: lookups, close: () => new Promise((done) => socket.close(() => done())) };
}

function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
