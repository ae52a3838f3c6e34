import { existsSync } from 'node:fs';
import { type ConfigSources, loadConfig } from '../config/loadConfig.ts';
import type { Config } from '../config/variables.ts';

/** Where a person's own program makes notebooks: a folder they see. */
const VISIBLE_FOLDER = '~/Cellar';

export interface StorageFolders {
  readonly config: Config;
  /** The documented folder, where notebooks of before lie; none where it is the one in use, or is not there. */
  readonly earlier: readonly string[];
}

/**
 * The settings of a server. With `visible` (the desktop app, `npm start`) new notebooks are made where a person sees
 * them, unless a setting names a folder; those in the documented one are listed with them and stay where they are.
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
