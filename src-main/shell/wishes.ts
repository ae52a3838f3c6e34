import type { App } from 'electron';
import { type Wish, wishOf } from './commandLine.ts';

export interface WishSources {
  readonly app: Pick<App, 'on' | 'isPackaged'>;
  /** The arguments that are the person's own, out of all of them. */
  readonly ownArguments: (argv: readonly string[]) => readonly string[];
  readonly home: string;
}

/**
 * Collects what the person asks for from outside a window: a second start, the file manager, a link. macOS asks by
 * events, also before the app is ready: until there is somebody to carry a wish out it waits, in order.
 * @returns `carriedOutBy` takes over, once: first the program's own start, where it asks for something or nothing
 *   else does, then what has been waiting
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
