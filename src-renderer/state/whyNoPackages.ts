/** Why the packages of a notebook cannot be changed now. */

import { PACKAGE_WORDS } from '../words/packages.ts';
import type { NotebookView } from './notebookStore.ts';

/** Why packages cannot be changed now, as a message; null if they can. */
export function whyNoPackages({ link, model }: NotebookView): string | null {
  if (link.kind !== 'live') return PACKAGE_WORDS.offline;
  if (model.meta?.untrusted !== undefined) return PACKAGE_WORDS.untrusted;
  return model.meta?.environment_job?.status === 'running' ? PACKAGE_WORDS.busy : null;
}
