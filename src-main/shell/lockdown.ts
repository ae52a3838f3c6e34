/** Restricts the windows of the desktop app to its own pages, without permissions. */

import type { Session, WebContents } from 'electron';
import { isPermissionAllowed } from './requestRules.ts';
import { externalUrl, isOwn } from './urlRules.ts';

/** Every setting is explicit, so that a changed default opens nothing. */
export const SAFE_PREFERENCES = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  // Its dictionaries would be downloaded from a server of the browser's vendor.
  spellcheck: false,
} as const;

type Permissions = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
>;

/** Denies camera, location, devices and notifications to the page: every request and check. */
export function denyPermissions(session: Permissions, origin: () => string | null): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const { requestingUrl, isMainFrame: topFrame } = details;
    answer(
      isPermissionAllowed(permission, { requestingUrl: requestingUrl ?? '', topFrame, origin: origin() }),
    );
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) =>
    isPermissionAllowed(permission, {
      requestingUrl: requestingOrigin,
      topFrame: details.isMainFrame,
      origin: origin(),
    }),
  );
  session.setDevicePermissionHandler(() => false);
}

type Lockable = Pick<WebContents, 'setWindowOpenHandler'> & {
  on(event: string, listener: (event: { preventDefault(): void }, url: string) => void): unknown;
};

interface LockOptions {
  readonly origin: () => string | null;
  readonly openExternal: (url: string) => void;
}

/** Keeps a window on our own pages and lets it open no other; external links open in the user's browser. */
export function lockContents(contents: Lockable, { origin, openExternal }: LockOptions): void {
  const leave = (url: string): void => {
    const outside = externalUrl(url);
    const own = origin();
    if (outside !== null && !(own !== null && isOwn(outside, own))) openExternal(outside);
  };
  contents.setWindowOpenHandler(({ url }) => {
    leave(url);
    return { action: 'deny' };
  });
  for (const event of ['will-navigate', 'will-redirect']) {
    contents.on(event, (navigation, url) => {
      const own = origin();
      if (own !== null && isOwn(url, own)) return;
      navigation.preventDefault();
      leave(url);
    });
  }
  contents.on('will-attach-webview', (attaching) => attaching.preventDefault());
}
