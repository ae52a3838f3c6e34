import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { ConfigError } from '../../config/configError.ts';
import { RENDER_DEFAULTS } from '../../convert/export/blocks.ts';
import { htmlExport } from '../../convert/export/htmlExport.ts';
import { markdownExport } from '../../convert/export/markdownExport.ts';
import { snapshotExport } from '../../convert/export/snapshotExport.ts';
import type { ExportView } from '../../convert/exportView.ts';
import { guarded, onlyFolder, parseArguments, UsageError } from '../arguments.ts';
import { composeApp } from '../composeApp.ts';
import { writeOut } from '../writeOut.ts';

const OPTIONS = {
  to: { type: 'string' },
  out: { type: 'string' },
  include: { type: 'string', default: 'selected' },
  cells: { type: 'string' },
  force: { type: 'boolean', default: false },
  'include-inactive-variants': { type: 'boolean', default: false },
  'no-console': { type: 'boolean', default: false },
  'app-view': { type: 'boolean', default: false },
  'max-output-bytes': { type: 'string' },
} as const;

type Values = ReturnType<typeof parseArguments<typeof OPTIONS>>['values'];

/** `svc export DIR --to markdown|html|snapshot [--out F]`: one file of a notebook; nothing runs (semantics 16). */
export function exportFolder(args: readonly string[]): Promise<number> {
  return guarded(async () => {
    const { values, positionals } = parseArguments(args, OPTIONS);
    const dir = resolve(onlyFolder(positionals, 'export'));
    const out = values.out === undefined ? null : resolve(values.out);
    const pieces = exporter(values);
    if (values.to === 'snapshot' && out === null) throw new UsageError('--to snapshot needs --out FILE');
    if (out !== null && !values.force && existsSync(out)) {
      throw new UsageError(`${out} is there already; --force writes over it`);
    }
    let app: Awaited<ReturnType<typeof composeApp>> | null = null;
    try {
      app = await composeApp({ grants: [dir], warmsForWorkOnly: true });
      const session = await app.sessions.open(dir);
      const view = session.exported();
      await writeOut(hidden(pieces(view), view, values.to), out);
      if (out !== null) process.stdout.write(`${out}\n`);
      return 0;
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof ConfigError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return app === null || !(error instanceof NoSuchCell) ? 2 : 1;
    } finally {
      await app?.close();
    }
  });
}

/** The notebook was opened; what is asked of it is not there. */
class NoSuchCell extends AppError {}

/** @throws UsageError */
function exporter(values: Values): (view: ExportView) => AsyncIterable<Uint8Array> {
  const most = values['max-output-bytes'] ?? String(RENDER_DEFAULTS.maxOutputBytes);
  if (!/^\d+$/.test(most)) throw new UsageError(`--max-output-bytes is a number of bytes, not ${most}`);
  const options = {
    inactiveVariants: values['include-inactive-variants'],
    appView: values['app-view'],
    console: !values['no-console'],
    maxOutputBytes: Number(most),
  };
  if (values.to === 'markdown') return (view) => markdownExport(view, options);
  if (values.to === 'html') return (view) => htmlExport(view, options);
  if (values.to !== 'snapshot') throw new UsageError('--to is markdown, html or snapshot');
  const { include } = values;
  if (include !== 'all' && include !== 'selected' && include !== 'none') {
    throw new UsageError(`--include is all, selected or none, not ${include}`);
  }
  const cells = new Set((values.cells ?? '').split(',').flatMap((id) => id.trim() || []));
  return (view) => {
    const known = new Set(view.cells.map(({ cell }) => cell.id));
    const unknown = [...cells].filter((id) => !known.has(id));
    if (unknown.length > 0) throw new NoSuchCell('bad_request', `No such cell: ${unknown.join(', ')}.`);
    return snapshotExport(view, { include, cells });
  };
}

/** Text without the values of secrets; a snapshot sees to its own. */
async function* hidden(
  pieces: AsyncIterable<Uint8Array>,
  { redactor }: ExportView,
  to: string | undefined,
): AsyncGenerator<Uint8Array> {
  if (redactor.isIdle || to === 'snapshot') {
    yield* pieces;
    return;
  }
  const decoder = new TextDecoder();
  const stream = redactor.stream();
  for await (const piece of pieces) yield Buffer.from(stream.push(decoder.decode(piece, { stream: true })));
  yield Buffer.from(stream.push(decoder.decode()) + stream.end());
}
