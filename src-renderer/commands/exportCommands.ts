/** Commands that export the notebook as one file (HTML, script and so on): part of the command table (registry.ts). */

import type { CallOf } from '../live/rest.ts';
import { routeUrl } from '../live/rest.ts';
import { saveFrom } from '../ui/saveFrom.ts';
import type { Command } from './command.ts';

type Query = CallOf<'exportNotebook'>['query'];

const EXPORTS: readonly { readonly id: string; readonly title: string; readonly query: Query }[] = [
  { id: 'html', title: 'Export as web page (HTML)', query: { fmt: 'html' } },
  { id: 'app', title: 'Export app view (HTML)', query: { fmt: 'html', app_layout: 'true' } },
  { id: 'markdown', title: 'Export as Markdown', query: { fmt: 'markdown' } },
  { id: 'jupyter', title: 'Export as Jupyter notebook', query: { fmt: 'ipynb' } },
  { id: 'zip', title: 'Export files (zip)', query: { fmt: 'zip' } },
  {
    id: 'snapshot',
    title: 'Export with all results (snapshot)',
    query: { fmt: 'snapshot', include: 'all' },
  },
];

/** Commands that save the notebook as one file: by the browser, or by the desktop window, which shows the progress. */
export const EXPORT_COMMANDS: readonly Command[] = EXPORTS.map(({ id, title, query }) => ({
  id: `notebook.export.${id}`,
  title,
  keys: [],
  mode: 'any',
  group: 'notebook',
  menu: { notebook: 3 },
  submenu: 'Export',
  // The export includes edits that were not saved yet. The server's response names the file.
  run: ({ session, view }) => {
    session.edits.saveAll();
    saveFrom(routeUrl('exportNotebook', { params: { sid: view.sessionId }, query }), '');
  },
}));
