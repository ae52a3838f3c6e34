/**
 * The command `svc export`: writes the notebook of a folder or a session as Markdown, HTML, a Jupyter notebook or a
 * snapshot.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { ConfigError } from '../../config/configError.ts';
import { RENDER_DEFAULTS } from '../../convert/export/blocks.ts';
import { defineCommand, type OptionTable, UsageError, type ValuesOf } from '../arguments.ts';
import { CallError } from '../place/restCaller.ts';
import { openTarget, type Place, placeOf, SERVER_OPTIONS, TARGET_USAGE } from '../place/target.ts';
import { writeOut } from '../writeOut.ts';
import { type ExportRequest, NoSuchCell } from './exportRequest.ts';

const OPTIONS = {
  to: {
    type: 'string',
    takes: 'KIND',
    says: 'markdown, html, ipynb (a Jupyter notebook), or snapshot (a zip with its results).',
  },
  out: {
    type: 'string',
    takes: 'FILE',
    says: 'The file to write. Default: standard output. Required for a snapshot.',
  },
  force: { type: 'boolean', default: false, says: 'Overwrite an existing file.' },
  include: {
    type: 'string',
    default: 'selected',
    takes: 'all|selected|none',
    says: 'Results to include in a snapshot.',
  },
  cells: { type: 'string', takes: 'ID,…', says: 'The cells whose results are included.' },
  'include-inactive-variants': {
    type: 'boolean',
    default: false,
    says: 'Include inactive variants.',
  },
  'no-console': { type: 'boolean', default: false, says: 'Omit console output.' },
  'app-view': { type: 'boolean', default: false, says: 'Include only the content of the app view.' },
  'app-layout': {
    type: 'boolean',
    default: false,
    says: 'HTML: the app view in its layout (grid, slides, tabs), without scripts.',
  },
  'max-output-bytes': {
    type: 'string',
    takes: 'N',
    says: 'Size limit of a single output in markdown, html and ipynb; 0 means no limit.',
  },
  ...SERVER_OPTIONS,
} as const satisfies OptionTable;

type Values = ValuesOf<typeof OPTIONS>;

/**
 * `svc export TGT --to markdown|html|ipynb|snapshot [--out F]`: writes a notebook as one file; nothing runs
 * (docs/spec/command-line.md, 3).
 */
export const exportNotebook = defineCommand({
  usage: TARGET_USAGE,
  options: OPTIONS,
  async run({ values, positionals }) {
    const { place, rest } = await placeOf(values, positionals);
    if (rest.length > 0)
      throw new UsageError(`svc export takes one notebook; unexpected argument \`${rest[0]}\``);
    const request = exportRequestOf(values);
    const out = values.out === undefined ? null : resolve(values.out);
    if (request.to === 'snapshot' && out === null) throw new UsageError('--to snapshot requires --out FILE');
    if (out !== null && !values.force && existsSync(out)) {
      throw new UsageError(`${out} already exists; use --force to overwrite it`);
    }
    try {
      await written(place, { request, out });
      if (out !== null) process.stdout.write(`${out}\n`);
      return 0;
    } catch (error) {
      if (!(error instanceof AppError || error instanceof ConfigError || error instanceof CallError))
        throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      // No answer, or an argument that is not a notebook, is a problem of the set-up.
      const isRefusal = error instanceof CallError ? error.status !== 0 : error instanceof NoSuchCell;
      return isRefusal ? 1 : 2;
    }
  },
});

/** @throws UsageError */
function exportRequestOf(values: Values): ExportRequest {
  const most = values['max-output-bytes'] ?? String(RENDER_DEFAULTS.maxOutputBytes);
  if (!/^\d+$/.test(most)) throw new UsageError(`--max-output-bytes must be a number of bytes, not ${most}`);
  const { to, include } = values;
  if (to !== 'markdown' && to !== 'html' && to !== 'ipynb' && to !== 'snapshot')
    throw new UsageError('--to must be markdown, html, ipynb or snapshot');
  if (include !== 'all' && include !== 'selected' && include !== 'none') {
    throw new UsageError(`--include must be all, selected or none, not ${include}`);
  }
  if (values['app-layout'] && to !== 'html') throw new UsageError('--app-layout requires --to html');
  return {
    to,
    render: {
      inactiveVariants: values['include-inactive-variants'],
      appView: values['app-view'] || values['app-layout'],
      appLayout: values['app-layout'],
      console: !values['no-console'],
      maxOutputBytes: Number(most),
    },
    include,
    cells: new Set((values.cells ?? '').split(',').flatMap((id) => id.trim() || [])),
  };
}

/** @throws CallError, AppError, ConfigError, UsageError */
async function written(
  place: Place,
  { request, out }: { readonly request: ExportRequest; readonly out: string | null },
): Promise<void> {
  if (place.kind === 'folder') {
    // For a remote server, do not load the local one.
    const { exportFolder } = await import('./exportFolder.ts');
    await exportFolder(place.dir, request, (pieces) => writeOut(pieces, out));
    return;
  }
  const target = await openTarget(place);
  const { to, render, include, cells } = request;
  const { body } = await target.open('exportNotebook', {
    params: { sid: target.sid },
    query: {
      fmt: to,
      include,
      console: String(render.console),
      app_view: String(render.appView),
      ...(render.appLayout ? { app_layout: 'true' } : {}),
      ...(cells.size === 0 ? {} : { cells: [...cells].join(',') }),
      include_inactive_variants: String(render.inactiveVariants),
      max_output_bytes: render.maxOutputBytes,
    },
  });
  await writeOut(body, out);
}
