/**
 * The layout of the workbench: which panels are open, how large they are, and what is open over the page. Stored in
 * localStorage, so that a window opens as the last one was left. Stored values may be old, foreign or damaged: they are
 * read one by one, and an invalid one becomes the default.
 *
 * In a narrow window the side panels are drawers over the page: at most one, never stored, and closing it leaves the
 * docked panels of a wide window unchanged. `shownLeft` and `shownRight` say what is visible.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

type LeftPanel = 'outline' | 'data' | 'files' | 'environment' | 'workers' | 'history';
type RightPanel = 'inspector' | 'assistant';
type BottomPanel = 'dag' | 'runs' | 'cellConsole' | 'terminal' | 'logs';
export type PanelId = LeftPanel | RightPanel | BottomPanel;
export type Region = 'left' | 'right' | 'bottom';
type OverlayId = 'palette' | 'quickOpen' | 'shortcuts';

/** The region of each panel. */
const REGION_OF: Readonly<Record<PanelId, Region>> = {
  outline: 'left',
  data: 'left',
  files: 'left',
  environment: 'left',
  workers: 'left',
  history: 'left',
  inspector: 'right',
  assistant: 'right',
  dag: 'bottom',
  runs: 'bottom',
  cellConsole: 'bottom',
  terminal: 'bottom',
  logs: 'bottom',
};

/** CSS pixels a region may take: width of the sides, height of the bottom. */
export const REGION_SIZES: Readonly<
  Record<Region, { readonly min: number; readonly max: number; readonly usual: number }>
> = {
  left: { min: 160, max: 480, usual: 200 },
  right: { min: 220, max: 640, usual: 288 },
  bottom: { min: 120, max: 900, usual: 280 },
};

/** The stored part of the layout. */
export interface StoredLayout {
  readonly left: LeftPanel | null;
  readonly right: boolean;
  /** The panel in the right region, while it is open. */
  readonly rightPanel: RightPanel;
  readonly bottom: BottomPanel | null;
  /** The panel that a region shows when it is opened without naming one. */
  readonly lastLeft: LeftPanel;
  readonly lastBottom: BottomPanel;
  readonly leftWidth: number;
  readonly rightWidth: number;
  /** Separate from the width of other panels, because a conversation needs more. */
  readonly assistantWidth: number;
  readonly bottomHeight: number;
  /** Whether cells use the full width of the window. */
  readonly wide: boolean;
}

export interface Layout extends StoredLayout {
  readonly overlay: OverlayId | null;
  /** Whether the window is too narrow to dock the side panels. */
  readonly narrow: boolean;
  /** The side panel that is open over a narrow window. */
  readonly drawer: LeftPanel | RightPanel | null;
}

export interface LayoutActions {
  /** Opens a panel in its region; in a narrow window, a side panel opens as a drawer. */
  readonly showPanel: (id: PanelId) => void;
  /** Toggles a panel. */
  readonly togglePanel: (id: PanelId) => void;
  readonly closeRegion: (region: Region) => void;
  /** Closes a region, or opens it with its last panel. */
  readonly toggleRegion: (region: Region) => void;
  /** Sets a region's size in CSS px, inside `REGION_SIZES`. */
  readonly resize: (region: Region, size: number) => void;
  readonly toggleWide: () => void;
  readonly openOverlay: (id: OverlayId) => void;
  readonly closeOverlay: () => void;
  /** Called by the page when the window becomes narrow or wide; closes a drawer. */
  readonly setNarrow: (narrow: boolean) => void;
}

export type LayoutStore = StoreApi<Layout & LayoutActions>;

/** The part of localStorage that the layout needs; both methods may throw if the browser forbids storage. */
interface LayoutStorage {
  readonly read: () => string | null;
  readonly write: (text: string) => void;
}

export const USUAL_LAYOUT: StoredLayout = {
  left: 'outline',
  right: true,
  rightPanel: 'inspector',
  bottom: null,
  lastLeft: 'outline',
  lastBottom: 'dag',
  leftWidth: REGION_SIZES.left.usual,
  rightWidth: REGION_SIZES.right.usual,
  assistantWidth: 400,
  bottomHeight: REGION_SIZES.bottom.usual,
  wide: false,
};

export function shownLeft(layout: Layout): LeftPanel | null {
  if (!layout.narrow) return layout.left;
  return isLeft(layout.drawer) ? layout.drawer : null;
}

export function shownRight(layout: Layout): RightPanel | null {
  if (!layout.narrow) return layout.right ? layout.rightPanel : null;
  return isRight(layout.drawer) ? layout.drawer : null;
}

export function isShown(layout: Layout, id: PanelId): boolean {
  if (isRight(id)) return shownRight(layout) === id;
  return isLeft(id) ? shownLeft(layout) === id : layout.bottom === id;
}

export function sizeOf(layout: Layout, region: Region): number {
  if (region === 'bottom') return layout.bottomHeight;
  if (region === 'left') return layout.leftWidth;
  return shownRight(layout) === 'assistant' ? layout.assistantWidth : layout.rightWidth;
}

/** A size within the limits of its region; the default if it is not a number. */
export function clampSize(region: Region, size: unknown): number {
  const { min, max, usual } = REGION_SIZES[region];
  if (typeof size !== 'number' || !Number.isFinite(size)) return usual;
  return Math.round(Math.min(max, Math.max(min, size)));
}

/** Reads a stored layout; unknown values become the defaults. */
export function parseLayout(text: string | null): StoredLayout {
  const stored = recordOf(text);
  const left = stored['left'];
  const bottom = currentPanelId(stored['bottom']);
  const lastLeft = stored['lastLeft'];
  const lastBottom = currentPanelId(stored['lastBottom']);
  const rightPanel = stored['rightPanel'];
  const assistantWidth = stored['assistantWidth'];
  return {
    left: left === null || isLeft(left) ? left : USUAL_LAYOUT.left,
    right: booleanOr(stored['right'], USUAL_LAYOUT.right),
    rightPanel: isRight(rightPanel) ? rightPanel : USUAL_LAYOUT.rightPanel,
    bottom: bottom === null || isBottom(bottom) ? bottom : USUAL_LAYOUT.bottom,
    lastLeft: isLeft(lastLeft) ? lastLeft : USUAL_LAYOUT.lastLeft,
    lastBottom: isBottom(lastBottom) ? lastBottom : USUAL_LAYOUT.lastBottom,
    leftWidth: clampSize('left', stored['leftWidth']),
    rightWidth: clampSize('right', stored['rightWidth']),
    assistantWidth:
      typeof assistantWidth === 'number' && Number.isFinite(assistantWidth)
        ? clampSize('right', assistantWidth)
        : USUAL_LAYOUT.assistantWidth,
    bottomHeight: clampSize('bottom', stored['bottomHeight']),
    wide: booleanOr(stored['wide'], USUAL_LAYOUT.wide),
  };
}

export function createLayoutStore(storage: LayoutStorage): LayoutStore {
  const store: LayoutStore = createStore<Layout & LayoutActions>((set, get) => ({
    ...parseLayout(readOrNull(storage)),
    overlay: null,
    narrow: false,
    drawer: null,
    showPanel: (id) => set(withPanel(get(), id)),
    togglePanel: (id) => {
      if (isShown(get(), id)) get().closeRegion(REGION_OF[id]);
      else get().showPanel(id);
    },
    closeRegion: (region) => {
      if (region === 'bottom') set({ bottom: null });
      else if (get().narrow) set({ drawer: null });
      else set(region === 'left' ? { left: null } : { right: false });
    },
    toggleRegion: (region) => {
      const now = get();
      const last: Record<Region, PanelId> = {
        left: now.lastLeft,
        right: now.rightPanel,
        bottom: now.lastBottom,
      };
      const shownPanels: Record<Region, PanelId | null> = {
        left: shownLeft(now),
        right: shownRight(now),
        bottom: now.bottom,
      };
      now.togglePanel(shownPanels[region] ?? last[region]);
    },
    resize: (region, size) => {
      const to = clampSize(region, size);
      if (region === 'bottom') set({ bottomHeight: to });
      else if (region === 'left') set({ leftWidth: to });
      else set(shownRight(get()) === 'assistant' ? { assistantWidth: to } : { rightWidth: to });
    },
    toggleWide: () => set({ wide: !get().wide }),
    openOverlay: (id) => set({ overlay: id }),
    closeOverlay: () => set({ overlay: null }),
    setNarrow: (narrow) => {
      if (get().narrow !== narrow) set({ narrow, drawer: null });
    },
  }));
  let stored = JSON.stringify(keptOf(store.getState()));
  store.subscribe((state) => {
    const text = JSON.stringify(keptOf(state));
    if (text === stored) return;
    stored = text;
    writeIfAllowed(storage, text);
  });
  return store;
}

function withPanel(layout: Layout, id: PanelId): Partial<Layout> {
  if (isLeft(id)) {
    return layout.narrow ? { drawer: id, lastLeft: id } : { left: id, lastLeft: id };
  }
  if (isRight(id)) {
    return layout.narrow ? { drawer: id, rightPanel: id } : { right: true, rightPanel: id };
  }
  return { bottom: id, lastBottom: id };
}

function keptOf(layout: Layout): StoredLayout {
  const { left, right, rightPanel, bottom, lastLeft, lastBottom } = layout;
  const { leftWidth, rightWidth, assistantWidth, bottomHeight, wide } = layout;
  return {
    left,
    right,
    rightPanel,
    bottom,
    lastLeft,
    lastBottom,
    leftWidth,
    rightWidth,
    assistantWidth,
    bottomHeight,
    wide,
  };
}

function isLeft(value: unknown): value is LeftPanel {
  return (
    typeof value === 'string' && Object.hasOwn(REGION_OF, value) && REGION_OF[value as PanelId] === 'left'
  );
}

function isRight(value: unknown): value is RightPanel {
  return value === 'inspector' || value === 'assistant';
}

function isBottom(value: unknown): value is BottomPanel {
  return (
    typeof value === 'string' && Object.hasOwn(REGION_OF, value) && REGION_OF[value as PanelId] === 'bottom'
  );
}

/** The id of a stored panel; an earlier version named the consoles inside cells `inside`. */
function currentPanelId(stored: unknown): unknown {
  return stored === 'inside' ? 'cellConsole' : stored;
}

function booleanOr(value: unknown, otherwise: boolean): boolean {
  return typeof value === 'boolean' ? value : otherwise;
}

function recordOf(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (_damaged) {
    return {};
  }
}

/** The stored layout; null without storage. */
function readOrNull(storage: LayoutStorage): string | null {
  try {
    return storage.read();
  } catch (_forbidden) {
    return null;
  }
}

function writeIfAllowed(storage: LayoutStorage, text: string): void {
  try {
    storage.write(text);
  } catch (error) {
    console.warn('the layout could not be stored', error);
  }
}

const KEY = 'cellar.layout';

/** The layout of this window. */
export const layoutStore: LayoutStore = createLayoutStore({
  read: () => globalThis.localStorage?.getItem(KEY) ?? null,
  write: (text) => globalThis.localStorage?.setItem(KEY, text),
});
