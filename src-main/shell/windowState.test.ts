import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitState, readWindowState, type WindowState } from './windowState.ts';

const HD = { x: 0, y: 0, width: 1920, height: 1040 };
const RIGHT = { x: 1920, y: 0, width: 2560, height: 1400 };
const storedState = (fields: Partial<WindowState> = {}): WindowState => ({
  x: 100,
  y: 80,
  width: 1200,
  height: 800,
  maximized: false,
  ...fields,
});

it.each([
  ['nothing stored: the middle of the main display', null, [HD], { x: 320, y: 90, width: 1280, height: 860 }],
  ['a state that fits', storedState(), [HD], storedState()],
  ['on the second display', storedState({ x: 2500 }), [HD, RIGHT], storedState({ x: 2500 })],
  ['the second display is gone', storedState({ x: 2500 }), [HD], { x: 720, y: 80 }],
  ['far outside', storedState({ x: 9_000, y: 9_000 }), [HD], { x: 720, y: 240 }],
  ['above the top', storedState({ y: -500 }), [HD], { y: 0 }],
  ['left of everything', storedState({ x: -5_000 }), [HD], { x: 0 }],
  [
    'larger than the display',
    storedState({ width: 4_000, height: 3_000 }),
    [HD],
    { x: 0, y: 0, width: 1920, height: 1040 },
  ],
  ['too small to use', storedState({ width: 10, height: 10 }), [HD], { width: 640, height: 480 }],
  [
    'a display smaller than the least size',
    null,
    [{ x: 0, y: 0, width: 500, height: 300 }],
    { width: 500, height: 300 },
  ],
  ['a maximized window stays maximized', storedState({ maximized: true }), [HD], { maximized: true }],
  ['no display is known', storedState(), [], { width: 1200 }],
] as const)('[DK-11] %s', (_name, state, displays, is) => {
  expect(fitState(state, displays)).toMatchObject(is);
});

it('[DK-11] a further window is offset from the previous one', () => {
  expect(fitState(storedState(), [HD], [storedState()])).toMatchObject({ x: 128, y: 108 });
});

it('[DK-11] for any stored state, the window is on a display', () => {
  const number = fc.integer({ min: -20_000, max: 20_000 });
  const size = fc.integer({ min: 1, max: 20_000 });
  const display = fc.record({
    x: number,
    y: number,
    width: fc.integer({ min: 320, max: 8_000 }),
    height: fc.integer({ min: 240, max: 8_000 }),
  });
  fc.assert(
    fc.property(
      fc.record({ x: number, y: number, width: size, height: size, maximized: fc.boolean() }),
      fc.array(display, { minLength: 1, maxLength: 4 }),
      (state, displays) => {
        const fitted = fitState(state, displays);
        const inside = displays.some(
          ({ x, y, width, height }) =>
            fitted.x >= x &&
            fitted.y >= y &&
            fitted.x + fitted.width <= x + width &&
            fitted.y + fitted.height <= y + height,
        );
        expect(inside).toBe(true);
      },
    ),
  );
});

it.each([
  [storedState(), storedState()],
  [{ ...storedState(), maximized: 'yes' }, storedState()],
  [{ ...storedState(), x: 0.5 }, null],
  [{ ...storedState(), width: 0 }, null],
  [{ x: 1 }, null],
  ['text', null],
  [null, null],
])('[DK-11] %j is read as %j', (data, is) => expect(readWindowState(data)).toEqual(is));
