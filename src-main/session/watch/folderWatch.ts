import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FILES } from '../../environment/projectWatch.ts';
import { errnoOf } from '../../lib/atomicFile.ts';

/** What a watched folder tells. */
export interface FolderEvents {
  /** Something changed under these paths, relative and with forward slashes; null: anything may have. */
  readonly onChange: (names: ReadonlySet<string> | null) => void;
  /** The folder is not there any more. */
  readonly onGone: () => void;
}

/** An editor writes a file in several steps: what comes within this time is one change. */
const SETTLE_MS = 120;
const WATCHED: ReadonlySet<string> = new Set(['notebook.toml', 'cells', ...PROJECT_FILES]);
/** How often a folder that is gone is looked for. */
const LOOK_MS = 1_000;

/**
 * Watches a notebook's folder and its `cells` for changes from outside; what Cellar itself writes is told too, and
 * its reader finds nothing new. Where the system cannot watch (a network drive, too many watches) nothing is told;
 * edits are still checked against the disk when they are saved.
 * States: watching → gone (looked for) → watching. The answer ends it.
 */
export function watchFolder(dir: string, events: FolderEvents): () => void {
  let watchers: FSWatcher[] = [];
  let names: Set<string> | null = new Set();
  let settle: NodeJS.Timeout | null = null;
  let look: NodeJS.Timeout | null = null;
  let ended = false;

  const note = (name: string | null): void => {
    if (name === null) names = null;
    else names?.add(name);
    if (settle !== null) clearTimeout(settle);
    settle = setTimeout(() => void tell(), SETTLE_MS);
    settle.unref();
  };
  const tell = async (): Promise<void> => {
    settle = null;
    const changed = names;
    names = new Set();
    if (!(await holdsNotebook(dir))) return lose();
    if (ended) return;
    // `cells` itself may have been put in place anew: its old watcher watches what is gone.
    if (changed === null || changed.has('cells')) begin();
    events.onChange(changed?.has('cells') === true ? null : changed);
  };
  const lose = (): void => {
    stop();
    if (ended || look !== null) return;
    events.onGone();
    const again = async (): Promise<void> => {
      look = null;
      if (ended) return;
      if (await exists(join(dir, 'notebook.toml'))) {
        begin();
        events.onChange(null);
        return;
      }
      look = setTimeout(() => void again(), LOOK_MS);
      look.unref();
    };
    look = setTimeout(() => void again(), LOOK_MS);
    look.unref();
  };
  const begin = (): void => {
    stop();
    if (ended) return;
    open(dir, (name) => {
      // `.svc`, environments and data come and go with every run.
      if (name === null || WATCHED.has(name) || isItself(dir, name)) note(name);
    });
    open(join(dir, 'cells'), (name) => note(name === null ? null : `cells/${name}`));
  };
  const open = (path: string, onEvent: (name: string | null) => void): void => {
    try {
      const watcher = watch(path, { persistent: false }, (_kind, name) => onEvent(name));
      watcher.on('error', () => note(null));
      watchers.push(watcher);
    } catch (error) {
      // Not there (a notebook without cells), or not to be watched: see above. The folder itself may have gone
      // between two looks at it: then it is looked for.
      if (path === dir && errnoOf(error) === 'ENOENT') note(null);
    }
  };
  const stop = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  begin();
  return () => {
    ended = true;
    stop();
    if (settle !== null) clearTimeout(settle);
    if (look !== null) clearTimeout(look);
  };
}

/** A folder that is removed or renamed is told under its own name. */
function isItself(dir: string, name: string): boolean {
  return dir.endsWith(`/${name}`) || dir.endsWith(`\\${name}`);
}

/**
 * Whether anything of a notebook is there. The folder alone is not it: something that was on its way when the notebook
 * was taken away may have made it anew.
 */
async function holdsNotebook(dir: string): Promise<boolean> {
  return (await exists(join(dir, 'notebook.toml'))) || (await exists(join(dir, 'cells')));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
