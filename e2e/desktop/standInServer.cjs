'use strict';
/**
 * In the place of the server bundle, in a utility process: the same handshake and the same address, in the syntax of
 * the oldest Electron's Node, which cannot hold the real one. It serves one page and what it was told.
 */
const { createServer } = require('node:http');

const port = process.parentPort;
const told = [];
let token = '';
const crashes = () => process.abort();

const server = createServer((request, response) => {
  if (request.headers['x-cellar-launch-token'] !== token) {
    response.writeHead(401).end();
    return;
  }
  if (request.url === '/told') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ pid: process.pid, told, utility: process.type }));
    return;
  }
  if (request.url === '/crash') crashes();
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><main>stand-in</main>');
});

port.on('message', ({ data }) => {
  told.push(data.type === 'start' ? { ...data, token: 'hidden' } : data);
  if (data.type === 'start') {
    token = data.token;
    server.listen(data.port, '127.0.0.1', () => {
      port.postMessage({ type: 'listening', port: server.address().port });
    });
  }
  if (data.type === 'grant') port.postMessage({ type: 'granted', id: data.id });
  if (data.type === 'ask_running') port.postMessage({ type: 'running', id: data.id, names: [] });
  if (data.type === 'stop') process.exit(0);
});
