/** Collects requests to open a notebook from outside the windows: a second start of the app, a file manager, a link. */

import type { App } from 'electron';
import { type OpenRequest, openRequestOf } from './commandLine.ts';

interface OpenRequestSources {
  readonly app: Pick<App, 'on' | 'isPackaged'>;
  /** Returns the user's own arguments. */
  readonly ownArguments: (argv: readonly string[]) => readonly string[];
  readonly home: string;
}

/**
 * Collects requests from outside a window: a second start, the file manager, a link. macOS sends events, also
 * before the app is ready: requests wait in order until there is a handler. @returns `handleWith` sets the
 * handler, once: it gets the program's own start first, if that requests something or nothing else does, then
 * the waiting requests
 */
export function collectOpenRequests({ app, ownArguments, home }: OpenRequestSources): {
  readonly handleWith: (handle: (request: OpenRequest) => void, first: OpenRequest) => void;
} {
  let handle: ((request: OpenRequest) => void) | null = null;
  const waiting: OpenRequest[] = [];
  const take = (request: OpenRequest): void => {
    if (handle === null) waiting.push(request);
    else handle(request);
  };
  const packaged = app.isPackaged;
  app.on('second-instance', (_event, argv, cwd) =>
    take(openRequestOf(ownArguments(argv), { cwd, packaged })),
  );
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take(openRequestOf([path], { cwd: home, packaged }));
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    take({ kind: 'link', url });
  });
  return {
    handleWith(handler, first) {
      handle = handler;
      if (first.kind !== 'nothing' || waiting.length === 0) handler(first);
      for (const request of waiting.splice(0)) handler(request);
    },
  };
}
