/**
 * Reads a package list (requirements.txt, environment.yml and so on) that was dropped or chosen, for the Packages
 * panel.
 */

import { whyNoPackages } from '../state/whyNoPackages.ts';
import { toast } from '../ui/toastStore.ts';
import { PACKAGE_WORDS } from '../words/packages.ts';
import type { NotebookSession } from './notebookSession.ts';

/** The file extensions of package lists, for a file chooser. */
export const PACKAGE_LIST_EXTENSIONS = '.txt,.in,.yaml,.yml,.toml,.lock';
/** The largest list in bytes: the server reads at most this many characters, and no character has less than a byte. */
const MAX_BYTES = 500_000;

/** Reads a package list that a person dropped or chose; a file that is not one is reported in a message. */
export async function openPackageList(session: NotebookSession, file: File): Promise<void> {
  const reason = whyNoPackages(session.store.getState());
  if (reason !== null) return void toast(PACKAGE_WORDS.notNow(reason), { tone: 'warn' });
  if (file.size > MAX_BYTES) return void toast(PACKAGE_WORDS.tooLarge(file.name), { tone: 'error' });
  let text: string;
  try {
    text = await file.text();
  } catch {
    // A folder, or a file that was removed after the drop.
    toast(PACKAGE_WORDS.noFile(file.name), { tone: 'error' });
    return;
  }
  session.askPackages({ kind: 'file', file: { name: file.name, text } });
}
