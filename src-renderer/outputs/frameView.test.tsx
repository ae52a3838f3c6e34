/**
 * The FrameView component in jsdom: a change of the session neither stops a waiting output frame from being drawn nor
 * loses the picture of one.
 */

import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameView } from './FrameView.tsx';
import { drawInTurn } from './frame/drawQueue.ts';
import { pictureSource } from './frame/pictures.ts';

const PATIENT = { timeout: 45_000 };
const place = (sessionId: string) => ({ sessionId, cellId: 'a', index: 0 });

let root: Root;
let box: HTMLElement;
/** Messages that were posted to the frame. */
let messages: { kind: string }[] = [];

beforeEach(() => {
  // Requests for the font.
  vi.stubGlobal('fetch', async () => new Response(''));
  box = document.body.appendChild(document.createElement('div'));
  root = createRoot(box);
});
afterEach(() => {
  flushSync(() => root.unmount());
  box.remove();
  messages = [];
  vi.unstubAllGlobals();
});

const show = (sessionId: string): void =>
  flushSync(() => root.render(<FrameView text="<p>1</p>" contentType="text/html" {...place(sessionId)} />));

/** Dispatches a message from the frame, as its script does. */
function say(data: object): void {
  const frame = box.querySelector('iframe')?.contentWindow;
  if (frame === null || frame === undefined) throw new Error('no frame');
  frame.postMessage = (message: { kind: string }) => void messages.push(message);
  window.dispatchEvent(new MessageEvent('message', { data, source: frame }));
}

const kinds = (): string[] => messages.map(({ kind }) => kind);

test('[VA-96] a frame that waits for its turn is drawn, although the session changes meanwhile', async () => {
  const other = document.body.appendChild(document.createElement('div'));
  const endOther = drawInTurn(other, () => undefined);
  await Promise.resolve();
  show('s1');
  say({ kind: 'ready' });
  show('s2');
  expect(kinds()).not.toContain('show');
  endOther();
  other.remove();
  await expect.poll(kinds, PATIENT).toContain('show');
});

test('[VA-96] a drawn frame offers its picture under the new session', async () => {
  show('s1');
  say({ kind: 'ready' });
  say({ kind: 'drawn' });
  flushSync(() => say({ kind: 'pictures', formats: ['png'] }));
  await expect.poll(() => pictureSource(place('s1'))?.formats, PATIENT).toEqual(['png']);
  show('s2');
  await expect.poll(() => pictureSource(place('s2'))?.formats, PATIENT).toEqual(['png']);
  expect(pictureSource(place('s1'))).toBeNull();
  const picture = pictureSource(place('s2'))?.take('png');
  const request = messages.find(({ kind }) => kind === 'picture');
  say({ kind: 'picture', id: Reflect.get(request ?? {}, 'id'), blob: new Blob(['png']) });
  expect((await picture)?.size).toBe(3);
});
