/** Reports changes of a notebook's files on disk, so that edits by other programs are noticed. */

import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FILES } from '../../environment/projectWatch.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';

/** The events of a watched folder. */
interface FolderEvents {
  /** Something changed under these paths, relative and with forward slashes; null: possibly anywhere. */
  readonly onChange: (names: ReadonlySet<string> | null) => void;
  /** The folder is missing. */
  readonly onGone: () => void;
}

/** An editor writes a file in several steps: events within this time are one change. */
const SETTLE_MS = 120;
const WATCHED: ReadonlySet<string> = new Set(['notebook.toml', 'cells', ...PROJECT_FILES]);
/** Interval of looking for a missing folder. */
const LOOK_MS = 1_000;

/**
 * Watches a notebook's folder and its `cells` for external changes; Cellar's own writes are reported too, and
 * the reader then finds nothing new. Where the system cannot watch (a network drive, too many watches)
 * nothing is reported; edits are still checked against the disk when they are saved. States: watching →
 * missing (polled) → watching. The returned function ends it.
 */
export function watchFolder(dir: NotebookFolder, events: FolderEvents): () => void {
  let watchers: FSWatcher[] = [];
  let names: Set<string> | null = new Set();
  let settle: NodeJS.Timeout | null = null;
  let look: NodeJS.Timeout | null = null;
  let isEnded = false;

  const note = (name: string | null): void => {
    if (name === null) names = null;
    else names?.add(name);
    if (settle !== null) clearTimeout(settle);
    settle = setTimeout(() => void reportChanges(), SETTLE_MS);
    settle.unref();
  };
  const reportChanges = async (): Promise<void> => {
    settle = null;
    const changed = names;
    names = new Set();
    if (!(await holdsNotebook(dir))) return lose();
    if (isEnded) return;
    // `cells` itself may have been replaced: the old watcher watches the removed folder.
    if (changed === null || changed.has('cells')) begin();
    events.onChange(changed?.has('cells') === true ? null : changed);
  };
  const lose = (): void => {
    stop();
    if (isEnded || look !== null) return;
    events.onGone();
    const again = async (): Promise<void> => {
      look = null;
      if (isEnded) return;
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
    if (isEnded) return;
    open(dir, (name) => {
      // `.svc`, environments and data change with every run.
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
      // Missing (a notebook without cells), or not watchable: see above. The folder itself may have
      // disappeared between two checks: then it is polled.
      if (path === dir && errnoOf(error) === 'ENOENT') note(null);
    }
  };
  const stop = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  begin();
  return () => {
    isEnded = true;
    stop();
    if (settle !== null) clearTimeout(settle);
    if (look !== null) clearTimeout(look);
  };
}

/** A removed or renamed folder is reported under its own name. */
function isItself(dir: NotebookFolder, name: string): boolean {
  return dir.endsWith(`/${name}`) || dir.endsWith(`\\${name}`);
}

/**
 * Whether anything of a notebook is there. The folder alone does not count: a pending write may have created
 * it again after the notebook was removed.
 */
async function holdsNotebook(dir: NotebookFolder): Promise<boolean> {
  return (await exists(join(dir, 'notebook.toml'))) || (await exists(join(dir, 'cells')));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
