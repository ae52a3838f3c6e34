import type { z } from 'zod';
import type { appLayout } from '../../../src-shared/wire/appLayout.ts';
import type { NotebookFile } from '../../notebook/file/notebookFile.ts';

/** The layout of the app view as clients get it; without one, no cells are placed. */
export function viewApp({ app }: Pick<NotebookFile, 'app'>): z.infer<typeof appLayout> {
  return app === null ? { cells: {} } : { ...app };
}
