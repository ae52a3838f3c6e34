/**
 * Figures and widgets far outside the view give up their frame: the component `OutputView` with a fake
 * IntersectionObserver.
 */

import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeOutput } from '../../e2e/support/fakeServerNotebook.ts';
import { countFigure } from './frame/liveFigures.ts';
import { offerPictures } from './frame/pictures.ts';
import { OutputView } from './OutputView.tsx';

const PLACE = { sessionId: 's1', cellId: 'a', index: 0 };
const FAR = 90_000;
const PATIENT = { timeout: 45_000 };
const rect = (top: number): DOMRect => ({ top, bottom: top + 400 }) as DOMRect;
const figure = (title: string) =>
  fakeOutput({ content_type: 'application/vnd.plotly.v1+json', preview: JSON.stringify({ title }) });

let root: Root;
let box: HTMLElement;
/** Each reports an observed element as near, as when a person scrolls past it. */
let reports: (() => void)[] = [];

beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly report: IntersectionObserverCallback;
      constructor(report: IntersectionObserverCallback) {
        this.report = report;
      }
      observe(target: Element): void {
        const entry = { target, isIntersecting: true } as IntersectionObserverEntry;
        reports.push(() => this.report([entry], this as unknown as IntersectionObserver));
      }
      unobserve(): void {}
    },
  );
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(() => rect(FAR));
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
  box = document.body.appendChild(document.createElement('div'));
  box.setAttribute('data-scroll-root', '');
  root = createRoot(box);
});
afterEach(() => {
  flushSync(() => root.unmount());
  box.remove();
  reports = [];
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const show = (title: string): void =>
  flushSync(() => root.render(<OutputView output={figure(title)} {...PLACE} cellName="a" />));
async function comeNear(): Promise<void> {
  await expect.poll(() => reports.length, PATIENT).toBeGreaterThan(0);
  for (const report of reports.splice(0)) report();
}
/** Registers so many figures in view that the figure of the test is released. Returns a function that removes them. */
function releaseIt(): () => void {
  const stops = Array.from({ length: 24 }, () => {
    const place = document.createElement('div');
    place.getBoundingClientRect = () => rect(0);
    return countFigure(place, { share: 1, isInUse: () => false, release: async () => false });
  });
  return () => {
    for (const stop of stops) stop();
  };
}
const shown = () => ({
  frames: box.querySelectorAll('iframe').length,
  picture: box.querySelector('img.output-released')?.getAttribute('src') ?? null,
});

/** What the frame answers for its picture, and what stays in its place. */
const ROWS: readonly [name: string, blob: Blob | null, picture: string | null][] = [
  ['its picture', new Blob(['png']), 'blob:picture'],
  ['an empty place if it has no picture', null, null],
  ['an empty place if its picture is too large', new Blob([new Uint8Array(8_000_001)]), null],
];

test.each(ROWS)('[VA-95] a released figure leaves %s', async (_name, blob, picture) => {
  show('first');
  await comeNear();
  await expect.poll(shown, PATIENT).toEqual({ frames: 1, picture: null });
  const stopOffer = offerPictures(PLACE, { formats: ['png'], take: async () => blob });
  const stop = releaseIt();
  await expect.poll(shown, PATIENT).toEqual({ frames: 0, picture });
  // The picture of another output is never shown for this one.
  show('second');
  await expect.poll(shown, PATIENT).toEqual({ frames: 0, picture: null });
  show('first');
  await expect.poll(shown, PATIENT).toEqual({ frames: 0, picture });
  stop();
  await comeNear();
  await expect.poll(shown, PATIENT).toEqual({ frames: 1, picture: null });
  stopOffer();
});

test('[VA-95] a figure that scrolls near while its picture is taken stays', async () => {
  show('first');
  await comeNear();
  await expect.poll(shown, PATIENT).toEqual({ frames: 1, picture: null });
  let isTaken = false;
  const take = async (): Promise<Blob> => {
    vi.mocked(Element.prototype.getBoundingClientRect).mockImplementation(() => rect(0));
    isTaken = true;
    return new Blob(['png']);
  };
  const stopOffer = offerPictures(PLACE, { formats: ['png'], take });
  const stop = releaseIt();
  await expect.poll(() => isTaken, PATIENT).toBe(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(shown()).toEqual({ frames: 1, picture: null });
  stop();
  stopOffer();
});

const STATE = { version_major: 2, version_minor: 0, state: {} };
const widget = fakeOutput({
  content_type: 'application/vnd.jupyter.widget-view+json',
  preview: JSON.stringify({ model_id: 'm', version_major: 2, version_minor: 0, state: STATE }),
});

test('[VA-102] a widget far away is released at its height, but not while a person is in it', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(87);
  flushSync(() => root.render(<OutputView output={widget} {...PLACE} cellName="a" />));
  await comeNear();
  await expect.poll(shown, PATIENT).toEqual({ frames: 1, picture: null });
  box.querySelector('iframe')?.focus();
  expect(document.activeElement).toBe(box.querySelector('iframe'));
  releaseIt()();
  await new Promise((resolve) => setTimeout(resolve));
  expect(shown()).toEqual({ frames: 1, picture: null });
  const elsewhere = document.body.appendChild(document.createElement('button'));
  elsewhere.focus();
  const stop = releaseIt();
  await expect.poll(shown, PATIENT).toEqual({ frames: 0, picture: null });
  expect(box.querySelector<HTMLElement>('.output-frame-ahead')?.style.height).toBe('87px');
  stop();
  elsewhere.remove();
  await comeNear();
  await expect.poll(shown, PATIENT).toEqual({ frames: 1, picture: null });
});
