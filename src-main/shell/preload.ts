/** Preload script of the desktop app's windows: the functions by which the page calls the app. */

import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { BRIDGE_NAME, type ShellBridge } from '../../src-shared/shell/bridge.ts';
import {
  CALL_PREFIX,
  COMMAND_CHANNEL,
  OPEN_PATH_CHANNEL,
  type ShellCallName,
  type ShellCalls,
} from '../../src-shared/shell/calls.ts';

/** The parts of the page's world that the preload uses; its own types have no DOM. */
interface DropEvent {
  readonly isTrusted: boolean;
  readonly dataTransfer: { readonly files: ArrayLike<DroppedFile> } | null;
}
interface DroppedFile {
  readonly name: string;
  /** The file's path, up to Electron 31; later versions have `webUtils`. */
  readonly path?: string;
}
declare const window: {
  addEventListener(type: string, listener: (event: DropEvent) => void, capture: boolean): void;
  readonly location: { hash: string };
};

function call<K extends ShellCallName>(
  name: K,
  asks: ShellCalls[K]['asks'],
): Promise<ShellCalls[K]['gives']> {
  return ipcRenderer.invoke(`${CALL_PREFIX}${name}`, asks);
}

/** Calls the app without an answer. A failed call is not the page's error: the shell logs its refusals. */
function tell<K extends ShellCallName>(name: K, asks: ShellCalls[K]['asks']): void {
  void call(name, asks).catch(() => {});
}

/**
 * Paths of the last real drop, by file name. The page passes its file to identify it; the path comes from
 * here, so a page cannot invent one.
 */
const droppedFiles = new Map<string, string>();
window.addEventListener(
  'drop',
  ({ isTrusted, dataTransfer }) => {
    droppedFiles.clear();
    if (!isTrusted || dataTransfer === null) return;
    for (const file of Array.from(dataTransfer.files)) {
      const path = pathOf(file);
      if (path !== '') droppedFiles.set(file.name, path);
    }
  },
  true,
);

function pathOf(file: DroppedFile): string {
  if (file.path !== undefined) return file.path;
  return webUtils.getPathForFile(file as unknown as Parameters<typeof webUtils.getPathForFile>[0]); // the DOM's File
}

const commandListeners = new Set<(commandId: string) => void>();
const openListeners = new Set<(path: string) => void>();
ipcRenderer.on(COMMAND_CHANNEL, (_event, id: string) => {
  for (const listener of commandListeners) listener(id);
});
ipcRenderer.on(OPEN_PATH_CHANNEL, (_event, path: string) => {
  // A page without a listener is navigated by its address.
  if (openListeners.size === 0) window.location.hash = `#/open?path=${encodeURIComponent(path)}`;
  for (const listener of openListeners) listener(path);
});

function listen<T>(listeners: Set<(value: T) => void>, listener: (value: T) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const bridge: ShellBridge = {
  platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
  chooseNotebook: () => call('chooseNotebook', null),
  chooseNewNotebook: () => call('chooseNewNotebook', null),
  async grantDropped(file) {
    const name = typeof file === 'object' && file !== null && 'name' in file ? file.name : null;
    const path = typeof name === 'string' ? droppedFiles.get(name) : undefined;
    return path === undefined ? null : call('grantDropped', path);
  },
  trustNotebook: (path) => call('trustNotebook', path),
  keepWorkerToken: (token) => call('keepWorkerToken', token),
  workerTokens: (notebook) => call('workerTokens', notebook),
  remember: (notebook) => tell('remember', notebook),
  setRunState: (state) => tell('setRunState', state),
  onCommand: (listener) => listen(commandListeners, listener),
  onOpenPath: (listener) => listen(openListeners, listener),
  newWindow: (path) => tell('newWindow', path),
};
contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
