/** Finds the Rscript on this machine that runs the R cells of notebooks. */

import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const PROGRAM = process.platform === 'win32' ? 'Rscript.exe' : 'Rscript';

/** Where installers put R when no PATH entry names it. */
const INSTALL_FOLDERS = [
  '/usr/local/bin',
  '/usr/bin',
  '/opt/homebrew/bin',
  '/Library/Frameworks/R.framework/Resources/bin',
];

/**
 * The Rscript that runs R cells: the one in the setting, else the first on the PATH, else in the folders of R's
 * installers. Only reads folders and starts nothing. Null when there is none, also when the one in the setting is
 * invalid.
 */
export async function findRscript(
  setting: string | null,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  if (setting !== null) return (await isProgram(setting)) ? setting : null;
  const path = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const usual = process.platform === 'win32' ? await windowsFolders(env) : INSTALL_FOLDERS;
  for (const folder of [...path, ...usual]) {
    const file = join(folder, PROGRAM);
    if (await isProgram(file)) return file;
  }
  return null;
}

async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The folders of R's installations on Windows, such as `C:\Program Files\R\ \bin`, newest first. */
async function windowsFolders(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const root = join(env['ProgramFiles'] ?? 'C:\\Program Files', 'R');
  const names = await readdir(root).catch(() => []);
  return names
    .filter((name) => name.startsWith('R-'))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(root, name, 'bin'));
}

/** What to do when there is no R, for users who read it in a cell or in the Environment panel. */
export function noRscriptMessage(setting: string | null): string {
  const missing =
    setting === null
      ? 'R was not found on this machine.'
      : `SVC_RSCRIPT is set to ${setting}, which is not a program.`;
  const advice =
    process.platform === 'linux'
      ? 'Install R (Debian and Ubuntu: sudo apt install r-base-core)'
      : 'Install R from https://www.r-project.org';
  return `${missing} ${advice}, or set SVC_RSCRIPT to the path of Rscript, then run the cell again.`;
}
