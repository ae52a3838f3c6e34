import { expect, it } from 'vitest';
import { proxyVariables } from './proxyVariables.ts';

const NEAR = 'localhost,127.0.0.1,::1';
const through = (url: string, near = NEAR) => ({ HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: near });

const rows: readonly (readonly [
  answer: string,
  env: Record<string, string>,
  said: Record<string, string>,
])[] = [
  ['DIRECT', {}, {}],
  ['', {}, {}],
  ['PROXY proxy.example:8080', {}, through('http://proxy.example:8080')],
  ['PROXY proxy.example:8080; PROXY other.example:1; DIRECT', {}, through('http://proxy.example:8080')],
  ['DIRECT; PROXY proxy.example:8080', {}, {}],
  ['HTTPS proxy.example:443', {}, through('https://proxy.example:443')],
  ['SOCKS5 [::1]:1080', {}, through('socks5h://[::1]:1080')],
  ['SOCKS proxy.example:1080', {}, through('socks4://proxy.example:1080')],
  ['PROXY proxy.example:8080', { HTTPS_PROXY: 'http://mine:1' }, {}],
  ['PROXY proxy.example:8080', { all_proxy: 'http://mine:1' }, {}],
  ['PROXY proxy.example:8080', { HTTP_PROXY: '' }, through('http://proxy.example:8080')],
  [
    'PROXY proxy.example:8080',
    { NO_PROXY: '.inside.example,localhost' },
    through('http://proxy.example:8080', '.inside.example,localhost,127.0.0.1,::1'),
  ],
  ['PROXY me:secret@proxy.example:8080', {}, {}],
  ['PROXY proxy.example', {}, {}],
  ['CARRIER pigeon:1', {}, {}],
];
it.each(rows)('[DK-30] the system returns `%s`', (answer, env, said) => {
  expect(proxyVariables(answer, env)).toEqual(said);
});
