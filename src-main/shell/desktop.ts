/** The desktop app: creates and connects the server process, the windows, the menus and the settings file. */

import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type * as Electron from 'electron';
import { COMMAND_CHANNEL, OPEN_PATH_CHANNEL } from '../../src-shared/shell/calls.ts';
import type { MenuPlace } from '../../src-shared/shell/menu.ts';
import { answerCalls } from './answerCalls.ts';
import { menuTemplate } from './appMenu.ts';
import { isFolder, notebookFolder, type OpenRequest } from './commandLine.ts';
import type { StartHelper } from './helpers.ts';
import { denyPermissions, lockContents } from './lockdown.ts';
import { PROXY_PROBE_HOST, proxyVariables } from './proxyVariables.ts';
import { guardRequests } from './requestRules.ts';
import { createRunWatch } from './runWatch.ts';
import { createServerHost, type HostEvent } from './serverHost.ts';
import type { StartLink } from './serverLink.ts';
import type { ShellStore } from './shellStore.ts';
import type { StoredTokens } from './storedTokens.ts';
import { linkedFolder, notebookOf, originOf } from './urlRules.ts';
import { createWindows } from './windows.ts';
import { WORDS } from './words.ts';

/** The parts of Electron that the app uses; a test passes its own. */
type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'Notification'
  | 'powerSaveBlocker'
  | 'screen'
  | 'session'
  | 'shell'
>;

interface DesktopOptions {
  readonly electron: ElectronParts;
  readonly startLink: StartLink;
  readonly startHelper?: StartHelper;
  readonly token: string;
  readonly store: ShellStore;
  readonly tokens: StoredTokens;
  readonly resources: string | null;
  /** Keys of the server that the app removed from the environment of its child processes. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly preload: string;
  /** The icon of the windows; null if the system uses the program's own. */
  readonly icon: string | null;
  readonly logs: string;
  /** Opens the dialog for the command-line tool; absent in a checkout, which has its own. */
  readonly offerCommandTool?: () => void;
  readonly place: MenuPlace;
  readonly log: (text: string) => void;
}

/**
 * How long saving the last edits may take before the server is asked to end; it finishes received requests.
 */
const SAVE_MS = 250;

export interface Desktop {
  /** Performs the request of a start, a second start, the file manager or a link. */
  readonly request: (request: OpenRequest) => void;
}

/** The whole app once Electron is ready: connects server, windows and menus. */
export function startDesktop(options: DesktopOptions): Desktop {
  const { electron, store, token, log } = options;
  const { app, dialog } = electron;
  let origin: string | null = null;
  let quitting: 'no' | 'asking' | 'sure' = 'no';
  /** Folders granted for one new notebook; not stored, since that is wider than what the user intends. */
  const passing: string[] = [];

  const host = createServerHost({
    startLink: options.startLink,
    ...(options.startHelper === undefined ? {} : { startHelper: options.startHelper }),
    token,
    roots: () => [...store.memory().grants, ...passing],
    trusted: store.trusted,
    resources: options.resources,
    secrets: options.secrets,
    port: store.memory().port ?? 0,
    onEvent: hostChanged,
  });
  const openExternal = (url: string): void => {
    electron.shell.openExternal(url).catch((error: unknown) => log(`not opened outside: ${String(error)}`));
  };
  const watch = createRunWatch<Electron.BrowserWindow>({
    blockSuspension: () => electron.powerSaveBlocker.start('prevent-app-suspension'),
    allowSuspension: (id) => void electron.powerSaveBlocker.stop(id),
    notify(window, text) {
      if (!electron.Notification.isSupported()) return;
      const notification = new electron.Notification(text);
      notification.on('click', () => {
        if (!window.isDestroyed()) window.show();
      });
      notification.show();
    },
    now: () => performance.now(),
  });
  const windows = createWindows({
    make: (windowOptions) => new electron.BrowserWindow(windowOptions),
    preload: options.preload,
    icon: options.icon,
    store,
    displays: () => {
      const main = electron.screen.getPrimaryDisplay();
      const all = electron.screen.getAllDisplays().filter(({ id }) => id !== main.id);
      return [main, ...all].map(({ workArea }) => workArea);
    },
    origin: () => origin,
    onMade(window) {
      // The page prevents unloading while edits are unsaved; without this dialog Electron would stay open
      // silently.
      window.webContents.on('will-prevent-unload', (event) => {
        if (quitting === 'sure' || mayLoseEdits(window)) event.preventDefault();
      });
    },
    mayClose: () => {
      const last = windows.all().length === 1 && options.place.platform !== 'darwin';
      if (!last || quitting === 'sure') return true;
      void quit();
      return false;
    },
    onClosed: (id) => watch.closed(id),
    onFocused: (window) => watch.focused(window),
  });

  function mayLoseEdits(window: Electron.BrowserWindow): boolean {
    const buttons = [WORDS.cancel, WORDS.leave];
    return (
      dialog.showMessageBoxSync(window, { type: 'warning', message: WORDS.unsaved, buttons, cancelId: 0 }) ===
      1
    );
  }

  function askProxy(): void {
    electron.session.defaultSession
      .resolveProxy(PROXY_PROBE_HOST)
      .then((answer) => host.network(proxyVariables(answer, process.env)))
      .catch((error: unknown) => log(`the system's proxy is not known: ${String(error)}`));
  }

  function hostChanged(event: HostEvent): void {
    if (event.type === 'down') {
      log('the server ended; starting it again');
      return;
    }
    if (event.type === 'up') askProxy();
    if (event.type === 'gave_up') {
      void serverGone(event.message);
      return;
    }
    if (event.type === 'made') {
      // The user's own notebook, in a place they chose: it opens and runs at the next start, too.
      store.grant(event.path);
      store.trust(event.path);
      return;
    }
    if (event.type === 'removed') {
      store.forget(event.path);
      drawMenu();
      return;
    }
    const before = origin;
    store.keepPort(event.port);
    origin = originOf(event.port);
    windows.serverUp(before);
  }

  async function serverGone(message: string): Promise<void> {
    log(`the server does not start: ${message}`);
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: WORDS.serverGone,
      detail: message,
      buttons: [WORDS.tryAgain, WORDS.quit],
      cancelId: 1,
    });
    if (response === 0) return host.retry();
    quitting = 'sure';
    app.quit();
  }

  /** The user chose this folder in a system dialog: from now on the server may open it. */
  async function grant(folder: string): Promise<string> {
    store.grant(folder);
    await host.grant(folder);
    return folder;
  }

  async function trust(folder: string): Promise<void> {
    store.trust(folder);
    await host.trust(folder);
  }

  /** Asks in a native dialog, which no script of a page can answer. */
  async function askTrust(folder: string, window: Electron.BrowserWindow): Promise<boolean> {
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: WORDS.trustQuestion,
      detail: `${folder}\n\n${WORDS.trustMeans}`,
      buttons: [WORDS.trust, WORDS.cancel],
      cancelId: 1,
      defaultId: 1,
    });
    if (response !== 0) return false;
    await trust(folder);
    return true;
  }

  async function openFolder(path: string, options = { trusted: false }): Promise<void> {
    const folder = await grant(notebookFolder(path));
    if (options.trusted) await trust(folder);
    const home = windows.all().find((window) => notebookOf(window.webContents.getURL()) === null);
    if (home === undefined || origin === null) return void windows.open(folder);
    showIn(home, folder);
  }

  /** The page navigates itself if it can, so that it is not reloaded. */
  function showIn(window: Electron.BrowserWindow, folder: string): void {
    const other = windows.all().find((one) => notebookOf(one.webContents.getURL()) === folder);
    const target = other ?? window;
    if (other === undefined) window.webContents.send(OPEN_PATH_CHANNEL, folder);
    if (target.isMinimized()) target.restore();
    target.show();
    target.focus();
  }

  async function chooseFolder(window: Electron.BrowserWindow | null): Promise<string | null> {
    const options: Electron.OpenDialogOptions = {
      title: WORDS.openTitle,
      properties: ['openDirectory'],
    };
    const { canceled, filePaths } = await (window === null
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(window, options));
    const [path] = filePaths;
    return canceled || path === undefined ? null : grant(notebookFolder(path));
  }

  async function openLink(url: string): Promise<void> {
    const folder = linkedFolder(url);
    if (folder === null) return log('a link asked for something that is not known');
    // Any page can contain such a link; only the user's consent makes it a choice.
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: WORDS.openLinked,
      detail: folder,
      buttons: [WORDS.open, WORDS.cancel],
      cancelId: 1,
      defaultId: 1,
    });
    if (response === 0) await openFolder(folder);
  }

  /** Asks only while something runs; then ends the server and the app. */
  async function quit(): Promise<void> {
    if (quitting !== 'no') return;
    quitting = 'asking';
    // The last edits are sent before the server is asked to end.
    for (const window of windows.all()) window.webContents.send(COMMAND_CHANNEL, 'notebook.save');
    const [running] = await Promise.all([host.running(), delay(SAVE_MS)]);
    if (running.length > 0) {
      const { response } = await dialog.showMessageBox({
        type: 'warning',
        message: WORDS.quitWhileRunning,
        detail: running.join('\n'),
        buttons: [WORDS.quit, WORDS.cancel],
        cancelId: 1,
        defaultId: 1,
      });
      if (response !== 0) {
        quitting = 'no';
        return;
      }
    }
    // Hidden at once; the server may take a moment to end its processes.
    for (const window of windows.all()) window.hide();
    await host.stop();
    quitting = 'sure';
    app.quit();
  }

  function drawMenu(): void {
    const { recents } = store.memory();
    const template = menuTemplate(options.place, recents, {
      command: (id) => windows.front()?.webContents.send(COMMAND_CHANNEL, id),
      action(name) {
        if (name === 'newWindow') return void windows.open(null);
        if (name === 'newNotebook') return void windows.openNew();
        if (name === 'openLogs') return void electron.shell.openPath(options.logs);
        if (name === 'commandTool') return options.offerCommandTool?.();
        void chooseFolder(windows.front()).then((folder) =>
          folder === null ? undefined : openFolder(folder),
        );
      },
      // A recent notebook was chosen before; the page named it, so nothing is granted here.
      openRecent: (path) => void windows.open(path),
      clearRecents() {
        store.forgetRecents();
        app.clearRecentDocuments();
        drawMenu();
      },
    });
    electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(template));
  }

  // All contents, from any source: our windows, and anything embedded in one.
  app.on('web-contents-created', (_event, contents) =>
    lockContents(contents, { origin: () => origin, openExternal }),
  );
  const session = electron.session.defaultSession;
  denyPermissions(session, () => origin);
  guardRequests(session.webRequest, { origin: () => origin, token });
  answerCalls<Electron.BrowserWindow>({
    ipcMain: electron.ipcMain,
    origin: () => origin,
    windowOf: (contentsId) => windows.byContents(contentsId),
    handlers: {
      async chooseNotebook(_asked, window) {
        const folder = await chooseFolder(window);
        const other = windows
          .all()
          .find(
            (one) => folder !== null && one !== window && notebookOf(one.webContents.getURL()) === folder,
          );
        if (folder === null || other === undefined) return folder;
        windows.open(folder);
        return null;
      },
      async chooseNewNotebook(_asked, window) {
        const { canceled, filePath } = await dialog.showSaveDialog(window, {
          title: WORDS.newTitle,
          buttonLabel: WORDS.make,
          nameFieldLabel: WORDS.name,
          properties: ['createDirectory', 'showOverwriteConfirmation'],
        });
        if (canceled || filePath === undefined || filePath === '') return null;
        const parent = dirname(filePath);
        passing.push(parent);
        await host.grant(parent);
        await grant(filePath);
        return { parent, name: basename(filePath) };
      },
      grantDropped: async (path) => {
        const folder = notebookFolder(path);
        return isFolder(folder) ? grant(folder) : null;
      },
      trustNotebook: (path, window) => askTrust(path, window),
      keepWorkerToken: (token) => options.tokens.keep(token),
      workerTokens: (notebook) => options.tokens.of(notebook),
      remember(notebook) {
        store.remember(notebook);
        app.addRecentDocument(notebook.path);
        drawMenu();
        return null;
      },
      setRunState(state, window) {
        watch.changed(window, state);
        return null;
      },
      newWindow(path) {
        windows.open(path);
        return null;
      },
    },
  });
  drawMenu();
  app.on('window-all-closed', () => {
    if (options.place.platform !== 'darwin') app.quit();
  });
  app.on('activate', () => {
    if (windows.all().length === 0) windows.open(null);
  });
  app.on('before-quit', (event) => {
    if (quitting === 'sure') return;
    event.preventDefault();
    void quit();
  });
  host.start();
  askProxy();
  // A machine moves between networks; right after a start the settings may not be available yet.
  app.on('browser-window-focus', askProxy);

  return {
    request(request) {
      if (request.kind === 'link') return void openLink(request.url);
      if (request.kind === 'folder') return void openFolder(request.path, { trusted: request.trusted });
      const front = windows.front();
      if (front === null) return void windows.open(null);
      if (front.isMinimized()) front.restore();
      front.show();
      front.focus();
    },
  };
}

/**
 * The path of the server's first file. The packaged app's files are next to its resources, a checkout's in its build
 * folder.
 */
export function serverEntry(resources: string | null, dist: string): string {
  return resources === null ? join(dist, 'serverEntry.cjs') : join(resources, 'server', 'serverEntry.cjs');
}
