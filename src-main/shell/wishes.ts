/** Requests from outside the app's windows: a second start, an opened file, a link. */

import type { App } from 'electron';
import { type Wish, wishOf } from './commandLine.ts';

interface WishSources {
  readonly app: Pick<App, 'on' | 'isPackaged'>;
  /** Returns the person's own arguments. */
  readonly ownArguments: (argv: readonly string[]) => readonly string[];
  readonly home: string;
}

/**
 * Collects requests from outside a window: a second start, the file manager, a link. macOS sends events, also
 * before the app is ready: requests wait in order until there is a handler. @returns `carriedOutBy` sets the
 * handler, once: it gets the program's own start first, if that requests something or nothing else does, then
 * the waiting requests
 */
export function collectWishes({ app, ownArguments, home }: WishSources): {
  readonly carriedOutBy: (carryOut: (wish: Wish) => void, first: Wish) => void;
} {
  let carryOut: ((wish: Wish) => void) | null = null;
  const waiting: Wish[] = [];
  const take = (wish: Wish): void => {
    if (carryOut === null) waiting.push(wish);
    else carryOut(wish);
  };
  const packaged = app.isPackaged;
  app.on('second-instance', (_event, argv, cwd) => take(wishOf(ownArguments(argv), { cwd, packaged })));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take(wishOf([path], { cwd: home, packaged }));
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    take({ kind: 'link', url });
  });
  return {
    carriedOutBy(somebody, first) {
      carryOut = somebody;
      if (first.kind !== 'nothing' || waiting.length === 0) somebody(first);
      for (const wish of waiting.splice(0)) somebody(wish);
    },
  };
}
