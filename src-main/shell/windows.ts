/** Opens, places and closes the windows of the desktop app. */

import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { SAFE_PREFERENCES } from './lockdown.ts';
import type { ShellStore } from './shellStore.ts';
import { NEW_NOTEBOOK, notebookOf, pageUrl, type WindowTarget } from './urlRules.ts';
import { type Bounds, fitState, MIN_SIZE } from './windowState.ts';

interface WindowsOptions {
  readonly make: (options: BrowserWindowConstructorOptions) => BrowserWindow;
  readonly preload: string;
  readonly icon: string | null;
  readonly store: ShellStore;
  /** Work areas of the current displays, the main one first. */
  readonly displays: () => readonly Rectangle[];
  /** The origin of the pages; null until the server has started once. */
  readonly origin: () => string | null;
  readonly onMade: (window: BrowserWindow) => void;
  /** Whether a window may close; false keeps it open, after asking. */
  readonly mayClose: (window: BrowserWindow) => boolean;
  /** Called with a closed window's id; the window itself can no longer be used. */
  readonly onClosed: (id: number) => void;
  readonly onFocused: (window: BrowserWindow) => void;
}

interface Windows {
  readonly all: () => readonly BrowserWindow[];
  /** The front window, else any. */
  readonly front: () => BrowserWindow | null;
  readonly byContents: (contentsId: number) => BrowserWindow | null;
  /** Shows a notebook, or the home page: in the window that has it, else in a new one. */
  readonly open: (path: string | null) => BrowserWindow;
  /** Opens the dialog for a new notebook: on the home page if a window shows it, else in a new window. */
  readonly openNew: () => BrowserWindow;
  /** Call when the server answers, possibly at another URL: windows that lost their page reload it. */
  readonly serverUp: (before: string | null) => void;
}

/** The windows of the app: at most one a notebook folder, each at its previous position. */
export function createWindows(options: WindowsOptions): Windows {
  const windows = new Set<BrowserWindow>();
  /** What a window without a page should show. */
  const targets = new Map<number, WindowTarget>();
  /** Windows whose page could not be loaded. */
  const failed = new Set<number>();

  const pathIn = (window: BrowserWindow): string | null => {
    const waiting = targets.get(window.id);
    if (waiting === undefined) return notebookOf(window.webContents.getURL());
    return waiting === NEW_NOTEBOOK ? null : waiting;
  };
  const having = (path: string, but?: BrowserWindow): BrowserWindow | null =>
    [...windows].find((window) => window !== but && pathIn(window) === path) ?? null;

  function load(window: BrowserWindow, path: WindowTarget): void {
    const origin = options.origin();
    if (origin === null) {
      targets.set(window.id, path);
      // Starts the window's process while the server starts.
      void window.loadURL('about:blank').catch(() => {});
      return;
    }
    targets.delete(window.id);
    // `did-fail-load` reports a failure.
    void window.loadURL(pageUrl(origin, path)).catch(() => {});
  }

  function make(target: WindowTarget): BrowserWindow {
    const path = target === NEW_NOTEBOOK ? null : target;
    const stored = options.store.memory().windows[path ?? ''] ?? null;
    const others: Bounds[] = [...windows].map((window) => window.getNormalBounds());
    const { maximized, ...bounds } = fitState(stored, options.displays(), others);
    const window = options.make({
      ...bounds,
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      title: 'Cellar',
      ...(options.icon === null ? {} : { icon: options.icon }),
      show: false,
      backgroundColor: '#ffffff',
      webPreferences: { ...SAFE_PREFERENCES, preload: options.preload },
    });
    windows.add(window);
    if (maximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    window.on('focus', () => options.onFocused(window));
    window.on('close', (event) => {
      if (!options.mayClose(window)) return event.preventDefault();
      const state = { ...whole(window.getNormalBounds()), maximized: window.isMaximized() };
      options.store.keepWindow(pathIn(window) ?? '', state);
    });
    const { id } = window;
    window.on('closed', () => {
      windows.delete(window);
      targets.delete(id);
      failed.delete(id);
      options.onClosed(id);
    });
    const contents = window.webContents;
    contents.on('did-fail-load', (_event, code, _text, _url, isMainFrame) => {
      // -3: another load replaced it.
      if (isMainFrame && code !== -3) failed.add(id);
    });
    contents.on('did-finish-load', () => failed.delete(id));
    contents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
      const path = isMainFrame ? notebookOf(url) : null;
      const other = path === null ? null : having(path, window);
      if (other === null) return;
      focus(other);
      load(window, null);
    });
    options.onMade(window);
    load(window, target);
    return window;
  }

  return {
    all: () => [...windows],
    front: () => [...windows].find((window) => window.isFocused()) ?? [...windows].at(-1) ?? null,
    byContents: (contentsId) => [...windows].find(({ webContents }) => webContents.id === contentsId) ?? null,
    open(path) {
      const existing = path === null ? null : having(path);
      if (existing === null) return make(path);
      return focus(existing);
    },
    openNew() {
      const home = [...windows].find((window) => pathIn(window) === null);
      if (home === undefined) return make(NEW_NOTEBOOK);
      load(home, NEW_NOTEBOOK);
      return focus(home);
    },
    serverUp(before) {
      const origin = options.origin();
      for (const window of windows) {
        const { id, webContents } = window;
        const path = targets.get(id);
        if (path !== undefined) load(window, path);
        else if (origin !== before || failed.has(id)) load(window, notebookOf(webContents.getURL()));
      }
    },
  };
}

function focus(window: BrowserWindow): BrowserWindow {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  return window;
}

function whole({ x, y, width, height }: Rectangle): Bounds {
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}
