/**
 * Loaded into a server by a test (`node --import`): appends every connection that the process opens, and every name
 * that it looks up, to the file that CELLAR_TEST_CONNECTIONS names. One line each: `connect host:port`, `lookup name`.
 */

import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const path = process.env.CELLAR_TEST_CONNECTIONS;
const record = (line) => appendFileSync(path, `${line}\n`);

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  // Node's internal callers pass the arguments as one array.
  const [target] = Array.isArray(args[0]) ? args[0] : args;
  const options = typeof target === 'object' ? target : { port: target, host: args[1] };
  record(options.path ? `connect ${options.path}` : `connect ${options.host ?? 'localhost'}:${options.port}`);
  return connect.apply(this, args);
};
for (const api of [dns, dns.promises]) {
  const { lookup } = api;
  api.lookup = (name, ...rest) => {
    record(`lookup ${name}`);
    return lookup(name, ...rest);
  };
}
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...args) {
  record(`connect udp ${args.filter((part) => typeof part === 'string').join(' ')}`);
  return send.apply(this, args);
};
syncBuiltinESMExports();
