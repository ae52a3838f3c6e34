/** Watches the local modules that cells import, Python files of the notebook's folder, for changes. */

import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { ModuleFacts } from '../../language/modules/closure.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';

/** An editor writes a file in several steps: events within this time are one change. */
const SETTLE_MS = 100;

/** Watches the folders that hold modules cells import. */
interface ModuleWatch {
  /** Watches the places of these modules, and the possible places of names without a file. */
  follow(modules: ModuleFacts): void;
  close(): void;
}

/**
 * Reports soon after a module in a notebook's folder may have changed; the reader decides whether it did.
 * Where the system cannot watch, nothing is reported: modules are checked again before every run.
 */
export function watchModules(dir: NotebookFolder, onChange: () => void): ModuleWatch {
  const watchers = new Map<string, FSWatcher>();
  let names: ReadonlySet<string> = new Set();
  let settle: NodeJS.Timeout | null = null;

  const note = (): void => {
    if (settle !== null) clearTimeout(settle);
    settle = setTimeout(onChange, SETTLE_MS);
    settle.unref();
  };
  const open = (folder: string): void => {
    try {
      const watcher = watch(join(dir, folder), { persistent: false }, (_kind, file) => {
        // Data and environments change with every run; a module is a Python file or a folder of them.
        const name = file?.replace(/\.py$/, '') ?? null;
        const matters =
          folder === '' ? name === null || names.has(name) : name === null || isModuleName(name);
        if (matters) note();
      });
      watcher.on('error', note);
      watchers.set(folder, watcher);
    } catch (_unwatchable) {
      // Removed in the meantime, or not watchable: see above.
    }
  };
  return {
    follow(modules) {
      names = topNames(modules);
      const folders = new Set(names.size === 0 ? [] : ['']);
      for (const path of modules.files.keys()) folders.add(path.split('/').slice(0, -1).join('/'));
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      for (const folder of folders) if (!watchers.has(folder)) open(folder);
    },
    close() {
      if (settle !== null) clearTimeout(settle);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function isModuleName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && name !== '__pycache__';
}

/** The top-level names that cells and modules import: `a` of `a.b`. */
function topNames({ asked: askedNames, files }: ModuleFacts): ReadonlySet<string> {
  const all = [...askedNames, ...[...files.values()].flatMap(({ imports }) => imports)];
  return new Set(all.map((name) => name.split('.')[0] ?? name));
}
