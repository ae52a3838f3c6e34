import { EventEmitter } from 'node:events';
import type { App } from 'electron';
import { beforeEach, expect, it } from 'vitest';
import type { OpenRequest } from './commandLine.ts';
import { collectOpenRequests } from './openRequests.ts';

let app: EventEmitter;
let done: string[];
let prevented: number;
let requests: ReturnType<typeof collectOpenRequests>;
const handle = (request: OpenRequest): void => {
  done.push(request.kind === 'folder' ? request.path : request.kind === 'link' ? request.url : request.kind);
};
const event = { preventDefault: () => (prevented += 1) };

beforeEach(() => {
  app = new EventEmitter();
  done = [];
  prevented = 0;
  requests = collectOpenRequests({
    app: Object.assign(app, { isPackaged: true }) as unknown as Pick<App, 'on' | 'isPackaged'>, // the parts it uses
    ownArguments: (argv) => argv.slice(1),
    home: '/home/me',
  });
});

function askAll(): void {
  app.emit('open-file', event, '/n/file');
  app.emit('open-url', event, 'cellar://open?path=/n/link');
  app.emit('second-instance', {}, ['cellar', 'second'], '/n');
}
const ALL = ['/n/file', 'cellar://open?path=/n/link', '/n/second'];

it('[DK-9] requests before the app is ready wait, in order, and replace the plain start', () => {
  askAll();
  expect([done, prevented]).toEqual([[], 2]);
  requests.handleWith(handle, { kind: 'nothing' });
  expect(done).toEqual(ALL);
});

it('[DK-9] the folder of the command line comes first', () => {
  askAll();
  requests.handleWith(handle, { kind: 'folder', path: '/n/first', trusted: false });
  expect(done).toEqual(['/n/first', ...ALL]);
});

it('[DK-9] later requests are carried out immediately', () => {
  requests.handleWith(handle, { kind: 'nothing' });
  askAll();
  expect([done, prevented]).toEqual([['nothing', ...ALL], 2]);
});
