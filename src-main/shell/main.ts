/** Entry point of the desktop app's main process: prepares Electron and starts the app. */

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as electron from 'electron';
import type { MenuPlace } from '../../src-shared/shell/menu.ts';
import { splitServerSecrets } from '../../src-shared/shell/serverSecrets.ts';
import { childLinks } from './childLink.ts';
import { openRequestOf } from './commandLine.ts';
import { commandTool } from './commandTool.ts';
import { type Desktop, serverEntry, startDesktop } from './desktop.ts';
import { openLogFile } from './logFile.ts';
import { offerCommandTool } from './offerCommandTool.ts';
import { collectOpenRequests } from './openRequests.ts';
import { openShellStore } from './shellStore.ts';
import { openStoredTokens } from './storedTokens.ts';
import { type LinkOptions, utilityHelpers, utilityLinks } from './utilityLink.ts';

/**
 * A Node to run the server on instead of Electron's own: for development, and for tests on an older Electron.
 */
const SERVER_NODE = process.env['CELLAR_SERVER_NODE'];
/** Switches that disable what Chromium would request from the network at start. */
const OFFLINE_SWITCHES = [
  'disable-background-networking',
  'disable-component-update',
  'disable-domain-reliability',
  'no-pings',
];

/** The prefix of the shell's internal errors in the log. */
const UNCAUGHT = 'fault:';

/** The icon in a checkout, relative to the build's folder. */
const CHECKOUT_ICON = '../../packaging/icons/256x256.png';

const { app, crashReporter } = electron;

/** The user's own arguments: a checkout's Electron gets the app's folder before them. */
function ownArguments(argv: readonly string[]): readonly string[] {
  return argv.slice(app.isPackaged ? 1 : 2);
}

function main(): void {
  // Crashes stay on this machine.
  crashReporter.start({ uploadToServer: false });
  for (const name of OFFLINE_SWITCHES) app.commandLine.appendSwitch(name);
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }

  // A session downloads dictionaries as soon as it exists, whatever its windows are set to.
  app.on('session-created', (session) => {
    session.setSpellCheckerEnabled(false);
    session.setSpellCheckerLanguages([]);
  });

  const requests = collectOpenRequests({ app, ownArguments, home: homedir() });
  const first = openRequestOf(ownArguments(process.argv), { cwd: process.cwd(), packaged: app.isPackaged });
  void app.whenReady().then(() => requests.handleWith(start().request, first));
}

function start(): Desktop {
  if (app.isPackaged) app.setAsDefaultProtocolClient('cellar');
  const userData = app.getPath('userData');
  const logs = join(userData, 'logs');
  mkdirSync(logs, { recursive: true });
  const log = openLogFile(join(logs, 'cellar.log'));
  // Electron's default is a dialog that blocks everything, even quitting.
  process.on('uncaughtException', (error) => log.line(`${UNCAUGHT} ${error.stack ?? error.message}`));
  const { rest, secrets } = splitServerSecrets(process.env);
  const resources = app.isPackaged ? process.resourcesPath : null;
  const links: LinkOptions = {
    entry: serverEntry(resources, join(__dirname, '..')),
    // The server looks for a project file from its working directory; the app's own is arbitrary.
    cwd: homedir(),
    env: rest,
    onOutput: (text) => log.write(text),
  };
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  const place: MenuPlace = { platform, packaged: app.isPackaged };
  return startDesktop({
    electron,
    ...(SERVER_NODE
      ? { startLink: childLinks(SERVER_NODE, links) }
      : {
          startLink: utilityLinks(electron.utilityProcess, links),
          startHelper: utilityHelpers(electron.utilityProcess, links),
        }),
    token: randomBytes(32).toString('base64url'),
    store: openShellStore(join(userData, 'shell.json'), (error) => log.line(String(error))),
    tokens: openStoredTokens(join(userData, 'worker-tokens.json'), {
      keychain: electron.safeStorage,
      onProblem: (error) => log.line(String(error)),
    }),
    resources,
    secrets,
    preload: join(__dirname, 'preload.cjs'),
    icon: platform === 'linux' ? join(__dirname, app.isPackaged ? 'icon.png' : CHECKOUT_ICON) : null,
    logs,
    ...(resources === null ? {} : { offerCommandTool: () => offerTool(resources, platform) }),
    place,
    log: (text) => log.line(text),
  });
}

function offerTool(resources: string, platform: MenuPlace['platform']): void {
  const { arch, env } = process;
  void offerCommandTool(electron.dialog, commandTool({ platform, arch, home: homedir(), resources, env }));
}

main();
