import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  nameOf,
  newToken,
  problemsOf,
  relayCommand,
  tokenOf,
  transportOf,
  urlOf,
  type WorkerDraft,
} from './workerDraft.ts';

const home = mkdtempSync(join(tmpdir(), 'cellar-draft-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const DRAFT: WorkerDraft = {
  way: 'relay',
  name: 'gpu',
  url: '',
  relay: 'https://relay.example/r/',
  connectToken: 'let-me-in',
  token: 'a-token',
  target: '',
  pickles: true,
  transport: 'direct',
  serverUrl: '',
};

describe('[RW-27] a worker that is to be attached', () => {
  it.each<
    [what: string, draft: Partial<WorkerDraft>, problems: { name: boolean; place: boolean; token?: boolean }]
  >([
    ['complete settings', {}, { name: false, place: false }],
    ['no name', { name: ' ' }, { name: true, place: false }],
    ['a taken name', { name: 'lab' }, { name: true, place: false }],
    ['a name the server accepts', { name: 'x'.repeat(200) }, { name: false, place: false }],
    ['a longer name', { name: 'x'.repeat(201) }, { name: true, place: false }],
    [
      'an address with a password',
      { way: 'address', url: 'http://me:geheim@gpu:9000' },
      { name: false, place: true },
    ],
    ['a relay with a password', { relay: 'wss://me:geheim@relay.example' }, { name: false, place: true }],
    ['a name at the end of an address', { relay: 'wss://relay.example/@me' }, { name: false, place: false }],
    ['a token cut by dots', { token: 'abc…' }, { name: false, place: false, token: true }],
    ['a token of two words', { token: 'open sesame' }, { name: false, place: false }],
    ['blanks around a token', { token: ' abc\t' }, { name: false, place: false }],
    ['no relay', { relay: '' }, { name: false, place: true }],
    ['a relay by its socket', { relay: 'wss://relay.example' }, { name: false, place: false }],
    ['text that is not an address', { way: 'address', url: 'gpu:9000' }, { name: false, place: true }],
    ['a machine', { way: 'ssh', name: '', target: 'me@gpu.example' }, { name: false, place: false }],
    [
      'an option for ssh',
      { way: 'ssh', name: 'x', target: '-oProxyCommand=id' },
      { name: false, place: true },
    ],
    ['two words for ssh', { way: 'ssh', name: 'x', target: 'gpu id' }, { name: false, place: true }],
  ])('%s', (_what, draft, expected) => {
    const { name, place, token } = problemsOf({ ...DRAFT, ...draft }, ['lab']);
    const faulty = { name: name !== null, place: place !== null, token: token !== null };
    expect(faulty).toEqual({ token: false, ...expected });
  });

  it('its token is sent without surrounding blanks', () => {
    expect([' abc\t', '  ', ''].map((token) => tokenOf({ ...DRAFT, token }))).toEqual(['abc', null, null]);
  });

  it('its address is on the relay, and the command connects to the relay', () => {
    expect(urlOf(DRAFT)).toBe('https://relay.example/r/w/gpu/v1/execute');
    expect(urlOf({ ...DRAFT, relay: 'ws://127.0.0.1:9100' })).toBe('http://127.0.0.1:9100/w/gpu/v1/execute');
    expect(relayCommand(DRAFT)).toBe(
      '(umask 077 && mkdir -p ~/.svc && printf %s a-token > ~/.svc/worker-gpu.token && printf %s let-me-in > ~/.svc/worker-gpu.connect-token) && svc worker --connect wss://relay.example/r/connect/gpu --token-file ~/.svc/worker-gpu.token --connect-token-file ~/.svc/worker-gpu.connect-token',
    );
    const empty = { ...DRAFT, name: '', relay: '', connectToken: '', token: '' };
    expect(relayCommand(empty)).toBe(
      '(umask 077 && mkdir -p ~/.svc && printf %s TOKEN > ~/.svc/worker-NAME.token && printf %s CONNECT_TOKEN > ~/.svc/worker-NAME.connect-token) && svc worker --connect wss://RELAY/connect/NAME --token-file ~/.svc/worker-NAME.token --connect-token-file ~/.svc/worker-NAME.connect-token',
    );
    expect(nameOf({ ...DRAFT, way: 'ssh', name: '', target: 'ssh://me@gpu-1.example:22' })).toBe(
      'gpu-1.example',
    );
    expect(newToken()).toMatch(/^[0-9a-f]{64}$/);
    expect(newToken()).not.toBe(newToken());
  });

  it('tokens with any characters are quoted for the shell', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0')),
        (token) => {
          const command = relayCommand({ ...DRAFT, token });
          const line = command.slice(0, command.lastIndexOf(' && svc worker'));
          execFileSync('/bin/sh', ['-c', line], { env: { PATH: process.env['PATH'], HOME: home } });
          return readFileSync(join(home, '.svc/worker-gpu.token'), 'utf8') === token;
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('[RW-48] the transport of a worker that is to be attached', () => {
  it.each<[string, Partial<WorkerDraft>, ReturnType<typeof transportOf>, RegExp | null]>([
    ['sent', {}, { transport: 'direct', serverUrl: null }, null],
    ['fetched', { transport: 'signed' }, { transport: 'signed', serverUrl: null }, null],
    [
      'fetched from an address',
      { transport: 'signed', serverUrl: ' https://notebooks.example:8765/ ' },
      { transport: 'signed', serverUrl: 'https://notebooks.example:8765/' },
      null,
    ],
    [
      'fetched from text that is not an address',
      { transport: 'signed', serverUrl: 'notebooks.example' },
      { transport: 'signed', serverUrl: 'notebooks.example' },
      /https?:/,
    ],
    [
      'fetched with a password',
      { transport: 'signed', serverUrl: 'https://me:secret@notebooks.example' },
      { transport: 'signed', serverUrl: 'https://me:secret@notebooks.example' },
      /password/,
    ],
    ['sent, whatever was entered before', { serverUrl: 'x' }, { transport: 'direct', serverUrl: null }, null],
    [
      'a worker by ssh is always sent its cells',
      { way: 'ssh', transport: 'signed', serverUrl: 'x' },
      { transport: 'direct', serverUrl: null },
      null,
    ],
  ])('%s', (_name, changes, way, problem) => {
    const draft = { ...DRAFT, ...changes };
    expect(transportOf(draft)).toEqual(way);
    const { server } = problemsOf(draft, []);
    if (problem === null) expect(server).toBeNull();
    else expect(server).toMatch(problem);
  });
});
