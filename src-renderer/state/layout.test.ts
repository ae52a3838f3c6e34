import { expect, test, vi } from 'vitest';
import {
  clampSize,
  createLayoutStore,
  isShown,
  type LayoutStore,
  parseLayout,
  REGION_SIZES,
  type StoredLayout,
  shownLeft,
  shownRight,
  sizeOf,
  USUAL_LAYOUT,
} from './layout.ts';

const fields = (kept: object): string => JSON.stringify({ ...USUAL_LAYOUT, ...kept });

test.each<[string, string | null, Partial<StoredLayout>]>([
  ['nothing stored', null, {}],
  ['no JSON', '{"left":', {}],
  ['not an object', '7', {}],
  ['a list', '[1]', {}],
  ['panels of another version', fields({ left: 'search', bottom: 'chat' }), {}],
  ['values of other kinds', fields({ right: 'yes', wide: 1, leftWidth: '300' }), {}],
  [
    'numbers out of bounds',
    fields({ leftWidth: 9_000, rightWidth: -4 }),
    { leftWidth: 480, rightWidth: 220 },
  ],
  ['fractions', fields({ bottomHeight: 200.6 }), { bottomHeight: 201 }],
  ['closed panels', fields({ left: null, right: false }), { left: null, right: false }],
  ['unknown keys', fields({ zoom: 3 }), {}],
  [
    'a panel under its former name',
    fields({ bottom: 'inside', lastBottom: 'inside' }),
    { bottom: 'cellConsole', lastBottom: 'cellConsole' },
  ],
])('the stored layout is read value by value: %s', (_name, text, expected) => {
  expect(parseLayout(text)).toEqual({ ...USUAL_LAYOUT, ...expected });
});

test.each<['left' | 'right' | 'bottom', unknown, number]>([
  ['left', 10, REGION_SIZES.left.min],
  ['left', 1e9, REGION_SIZES.left.max],
  ['right', 300.4, 300],
  ['bottom', Number.NaN, REGION_SIZES.bottom.usual],
  ['bottom', Number.POSITIVE_INFINITY, REGION_SIZES.bottom.usual],
  ['bottom', undefined, REGION_SIZES.bottom.usual],
])('a size of the region %s that is %s becomes %i', (region, size, expected) => {
  expect(clampSize(region, size)).toBe(expected);
});

function window(start: string | null = null): { store: LayoutStore; kept: () => string | null } {
  let text = start;
  const store = createLayoutStore({
    read: () => text,
    write: (next) => {
      text = next;
    },
  });
  return { store, kept: () => text };
}

test('the next window opens with the last layout; overlays and drawers are not stored', () => {
  const first = window();
  const { showPanel, resize, toggleWide, openOverlay, togglePanel } = first.store.getState();
  showPanel('files');
  showPanel('logs');
  togglePanel('inspector');
  resize('left', 333);
  resize('right', 5_000);
  resize('bottom', 0);
  toggleWide();
  openOverlay('palette');
  const second = window(first.kept()).store.getState();
  expect(second).toMatchObject({
    left: 'files',
    right: false,
    bottom: 'logs',
    leftWidth: 333,
    rightWidth: REGION_SIZES.right.max,
    bottomHeight: REGION_SIZES.bottom.min,
    wide: true,
    overlay: null,
    drawer: null,
  });
});

type Step = (store: LayoutStore) => void;
const act =
  (name: 'showPanel' | 'togglePanel', id: 'outline' | 'files' | 'inspector' | 'dag' | 'logs'): Step =>
  (store) =>
    store.getState()[name](id);
const region =
  (name: 'toggleRegion' | 'closeRegion', id: 'left' | 'right' | 'bottom'): Step =>
  (store) =>
    store.getState()[name](id);
const narrow =
  (value: boolean): Step =>
  (store) =>
    store.getState().setNarrow(value);

test.each<[string, Step[], { left: string | null; right: boolean; bottom: string | null }]>([
  ['the initial layout', [], { left: 'outline', right: true, bottom: null }],
  ['another panel', [act('showPanel', 'files')], { left: 'files', right: true, bottom: null }],
  ['off', [act('togglePanel', 'outline')], { left: null, right: true, bottom: null }],
  [
    'a region opens with what it showed before',
    [act('showPanel', 'files'), region('closeRegion', 'left'), region('toggleRegion', 'left')],
    { left: 'files', right: true, bottom: null },
  ],
  [
    'the bottom opens with its last panel',
    [act('showPanel', 'logs'), region('toggleRegion', 'bottom'), region('toggleRegion', 'bottom')],
    { left: 'outline', right: true, bottom: 'logs' },
  ],
  ['narrow: nothing next to the column', [narrow(true)], { left: null, right: false, bottom: null }],
  [
    'narrow: one drawer at a time',
    [narrow(true), act('showPanel', 'files'), act('showPanel', 'inspector')],
    { left: null, right: true, bottom: null },
  ],
  [
    'narrow: the bottom stays a panel',
    [narrow(true), act('showPanel', 'dag'), act('showPanel', 'files')],
    { left: 'files', right: false, bottom: 'dag' },
  ],
  [
    'wide again: docked as before',
    [narrow(true), act('showPanel', 'files'), region('closeRegion', 'left'), narrow(false)],
    { left: 'outline', right: true, bottom: null },
  ],
])('panels: %s', (_name, steps, expected) => {
  const { store } = window();
  for (const step of steps) step(store);
  const layout = store.getState();
  expect({ left: shownLeft(layout), right: shownRight(layout) !== null, bottom: layout.bottom }).toEqual(
    expected,
  );
  expect(isShown(layout, 'inspector')).toBe(expected.right);
});

test('[AG-60] the right side shows the inspector or the assistant, each with its own width', () => {
  const first = window();
  const { showPanel, togglePanel, toggleRegion, resize } = first.store.getState();
  const shown = () => shownRight(first.store.getState());
  showPanel('assistant');
  expect(shown()).toBe('assistant');
  resize('right', 500);
  togglePanel('inspector');
  expect(shown()).toBe('inspector');
  resize('right', 300);
  togglePanel('assistant');
  toggleRegion('right');
  expect(shown()).toBeNull();
  toggleRegion('right');
  expect(shown()).toBe('assistant');
  const second = window(first.kept()).store.getState();
  expect(shownRight(second)).toBe('assistant');
  expect([sizeOf(second, 'right'), second.rightWidth]).toEqual([500, 300]);
});

test('an overlay opens over another and closes', () => {
  const { store } = window();
  store.getState().openOverlay('palette');
  store.getState().openOverlay('quickOpen');
  expect(store.getState().overlay).toBe('quickOpen');
  store.getState().closeOverlay();
  expect(store.getState().overlay).toBeNull();
});

test('a browser that forbids storage still has a layout', () => {
  const forbidden = (): never => {
    throw new Error('storage is forbidden');
  };
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const store = createLayoutStore({ read: forbidden, write: forbidden });
  store.getState().toggleWide();
  expect(warned).toHaveBeenCalledOnce();
  warned.mockRestore();
  expect(store.getState().wide).toBe(true);
});
