/**
 * Chooses the folder in which a server creates notebooks: the documented default, or a visible one for the desktop app.
 */

import { existsSync } from 'node:fs';
import { type ConfigSources, loadConfig } from '../config/loadConfig.ts';
import type { Config } from '../config/variables.ts';

/** Where a user's own program creates notebooks: a visible folder. */
const VISIBLE_FOLDER = '~/Cellar';

interface StorageFolders {
  readonly config: Config;
  /** The documented folder, which may contain earlier notebooks; empty if it is the current one or does not exist. */
  readonly earlier: readonly string[];
}

/**
 * The settings of a server. With `visible` (the desktop app, `npm start`), new notebooks are created in a visible
 * folder, unless a setting names one; those in the documented folder are listed with them and stay there.
 * @throws ConfigError
 */
export function storageFolders(sources: ConfigSources, visible: boolean): StorageFolders {
  const documented = loadConfig(sources);
  if (!visible) return { config: documented, earlier: [] };
  const config = loadConfig({ ...sources, defaults: { notebookStorageDir: VISIBLE_FOLDER } });
  const { notebookStorageDir: before } = documented;
  const isOther = before !== config.notebookStorageDir && existsSync(before);
  return { config, earlier: isOther ? [before] : [] };
}
