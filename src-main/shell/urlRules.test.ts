import { expect, it } from 'vitest';
import { externalUrl, isOwn, linkedFolder, mayRequest, notebookOf, pageUrl } from './urlRules.ts';

const OWN = 'http://127.0.0.1:4000';

it.each([
  [`${OWN}/`, true],
  [`${OWN}/#/open?path=%2Fa`, true],
  [`${OWN}/docs`, true],
  ['http://127.0.0.1:4001/', false],
  ['https://127.0.0.1:4000/', false],
  ['http://localhost:4000/', false],
  ['http://127.0.0.1:4000@evil.example/', false],
  ['http://evil.example/http://127.0.0.1:4000/', false],
  ['http://127.0.0.1:40000/', false],
  ['file:///etc/passwd', false],
  ['data:text/html,x', false],
  ['javascript:alert(1)', false],
  ['nothing', false],
  ['', false],
])('[DK-16] %s is a page of ours: %s', (url, is) => expect(isOwn(url, OWN)).toBe(is));

it.each([
  [`${OWN}/assets/a.js`, true],
  ['ws://127.0.0.1:4000/v1/notebooks/ws/a', true],
  ['ws://127.0.0.1:4001/v1/notebooks/ws/a', false],
  ['ws://127.0.0.1:4000.evil.example/', false],
  ['wss://127.0.0.1:4000/', false],
  ['data:image/png;base64,x', true],
  [`blob:${OWN}/1`, true],
  ['about:blank', true],
  ['devtools://devtools/bundled/x.html', true],
  ['https://example.org/', false],
  ['file:///etc/passwd', false],
  ['ftp://127.0.0.1:4000/', false],
  ['', false],
])('[DK-17] a window may ask for %s: %s', (url, is) => expect(mayRequest(url, OWN)).toBe(is));

it.each([
  ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
  ['http://example.org', 'http://example.org/'],
  ['HTTPS://EXAMPLE.ORG', 'https://example.org/'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
  ['file:///etc/passwd', null],
  ['smb://host/share', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['cellar://open?path=/a', null],
  ['ms-msdt:/id', null],
  ['vbscript:x', null],
  [' javascript:alert(1)', null],
  ['https://', null],
  ['example.org', null],
  ['', null],
])('[DK-16] %s is passed to the system as %s', (url, is) => expect(externalUrl(url)).toBe(is));

it.each([null, '/home/me/a b', '/home/me/ü & #?=🌦', 'C:\\Users\\me\\n', '\\\\server\\share\\n'])(
  '[DK-9] a window shows %s by its address and is found by it',
  (path) => expect(notebookOf(pageUrl(OWN, path))).toBe(path),
);

it.each([
  [`${OWN}/#/notebook/abc?path=%2Fa`, '/a'],
  [`${OWN}/#/notebook/abc`, null],
  [`${OWN}/#/settings?path=%2Fa`, null],
  ['about:blank', null],
])('[DK-9] %s shows %s', (url, path) => expect(notebookOf(url)).toBe(path));

it.each([
  ['cellar://open?path=%2Fa%20b', '/a b'],
  ['cellar://open?path=', null],
  ['cellar://open', null],
  ['cellar://run?path=%2Fa', null],
  ['cellar://open?path=%2Fa%00', null],
  ['https://open?path=%2Fa', null],
  ['cellar:', null],
])('[DK-21] the link %s names %s', (url, path) => expect(linkedFolder(url)).toBe(path));
