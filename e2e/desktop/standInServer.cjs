/**
 * A fake of the server bundle for tests of the desktop app, which run it in a utility process. It makes the same
 * handshake with the shell and listens at a URL like the real server, but is written in the syntax of the oldest
 * Electron's Node, which cannot run the real server. It serves one page and the messages that it received.
 */

'use strict';

const { createServer } = require('node:http');

const port = process.parentPort;
const received = [];
let token = '';
const crashes = () => process.abort();

/** Callbacks that wait for the next message about the helper process. */
const waiting = [];

/** As a helper process: reports its process id, then blocks and reads no more messages, like a long query. */
function help() {
  port.on('message', ({ data }) => {
    if (data !== 'work') return;
    port.postMessage({ pid: process.pid });
    setTimeout(() => {
      for (;;);
    }, 50);
  });
}

function askHelper(response, messages) {
  waiting.push((told) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(told));
  });
  for (const message of messages) port.postMessage(message);
}

const server = createServer((request, response) => {
  if (request.headers['x-cellar-launch-token'] !== token) {
    response.writeHead(401).end();
    return;
  }
  if (request.url === '/told') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ pid: process.pid, told: received, utility: process.type }));
    return;
  }
  const id = Number(/^\/helper-(?:start|end)\/(\d+)$/.exec(request.url)?.[1]);
  if (request.url.startsWith('/helper-start/')) {
    const said = { type: 'helper_say', id, message: 'work' };
    askHelper(response, [{ type: 'helper_start', id }, said]);
    return;
  }
  if (request.url.startsWith('/helper-end/')) {
    askHelper(response, [{ type: 'helper_end', id }]);
    return;
  }
  if (request.url === '/crash') crashes();
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><main>stand-in</main>');
});

if (process.argv.includes('--sql')) help();
else port.on('message', serve);

function serve({ data }) {
  if (data.type === 'helper_said' || data.type === 'helper_gone') {
    waiting.shift()?.(data);
    return;
  }
  received.push(data.type === 'start' ? { ...data, token: 'hidden' } : data);
  if (data.type === 'start') {
    token = data.token;
    server.listen(data.port, '127.0.0.1', () => {
      port.postMessage({ type: 'listening', port: server.address().port });
    });
  }
  if (data.type === 'grant') port.postMessage({ type: 'granted', id: data.id });
  if (data.type === 'ask_running') port.postMessage({ type: 'running', id: data.id, names: [] });
  if (data.type === 'stop') process.exit(0);
}
