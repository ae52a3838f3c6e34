import { expect, it } from 'vitest';
import { createRunWatch, duration, type RunWindow } from './runWatch.ts';

class FakeWindow implements RunWindow {
  readonly id: number;
  focused = false;
  bars: string[] = [];
  constructor(id: number) {
    this.id = id;
  }
  isFocused(): boolean {
    return this.focused;
  }
  isDestroyed(): boolean {
    return false;
  }
  setProgressBar(progress: number, options?: { mode: string }): void {
    this.bars.push(`${progress}${options === undefined ? '' : ` ${options.mode}`}`);
  }
}

function stage() {
  const noted: string[] = [];
  const made = { noted, clock: 0 };
  const watch = createRunWatch<FakeWindow>({
    blockSuspension: () => noted.push('awake'),
    allowSuspension: () => void noted.push('asleep'),
    notify: (window, { title, body }) => void noted.push(`${window.id}: ${title}: ${body}`),
    now: () => made.clock,
  });
  return Object.assign(made, { watch });
}

const idle = { running: 0, title: 'Weather', seconds: null, failed: false };
const busy = { ...idle, running: 2 };

it.each([
  [
    'a long run, with the window in the background',
    { focused: false, after: 11_000, end: {} },
    ['1: Weather: Done after 11 s.'],
  ],
  [
    'a long run that failed',
    { focused: false, after: 75_000, end: { failed: true } },
    ['1: Weather: A cell failed after 1 min 15 s.'],
  ],
  [
    'the page reports a longer time',
    { focused: false, after: 0, end: { seconds: 3_700 } },
    ['1: Weather: Done after 1 h 1 min.'],
  ],
  ['a long run, with the window in front', { focused: true, after: 60_000, end: {} }, []],
  ['a short run', { focused: false, after: 10_000, end: {} }, []],
  [
    'a notebook without a name',
    { focused: false, after: 11_000, end: { title: null } },
    ['1: Cellar: Done after 11 s.'],
  ],
])('[DK-22] %s', (_name, { focused, after, end }, told) => {
  const it = stage();
  const window = new FakeWindow(1);
  window.focused = focused;
  it.watch.changed(window, busy);
  it.clock += after;
  it.watch.changed(window, { ...busy, running: 1 });
  it.watch.changed(window, { ...idle, ...end });
  expect(it.noted.filter((text) => !/^(awake|asleep)$/.test(text))).toEqual(told);
});

it('[DK-22] the dock shows that something runs, and a failure until the window has the focus', () => {
  const it = stage();
  const window = new FakeWindow(1);
  it.watch.changed(window, busy);
  it.watch.changed(window, { ...busy, running: 1 });
  it.watch.changed(window, { ...idle, failed: true });
  it.watch.focused(window);
  expect(window.bars).toEqual(['2 indeterminate', '1 error', '-1']);
});

it('[DK-23] the machine stays awake while anything runs in any window, and no longer', () => {
  const it = stage();
  const [one, two] = [new FakeWindow(1), new FakeWindow(2)];
  it.watch.changed(one, busy);
  it.watch.changed(two, busy);
  it.watch.changed(one, idle);
  it.watch.focused(one);
  expect(it.noted).toEqual(['awake']);
  it.watch.closed(two.id);
  it.watch.closed(one.id);
  expect(it.noted).toEqual(['awake', 'asleep']);
});

it.each([
  [0.4, '0 s'],
  [59.6, '1 min 0 s'],
  [3_600, '1 h 0 min'],
])('%s seconds are %s', (seconds, text) => expect(duration(seconds)).toBe(text));
