/**
 * Writes the manifest of a run for the harness and reads the result that it leaves, both in the run's output folder.
 */

import { join } from 'node:path';
import {
  HARNESS_RESULT_FILE,
  type HarnessManifest,
  type HarnessResult,
  harnessResult,
  MANIFEST_FILE,
} from '../../src-shared/wire/harness.ts';
import { readFileAt } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import { writeOver } from '../lib/guardedFolder/replace.ts';
import { clientFields } from './clientAccess.ts';
import type { ExecRequest } from './executor.ts';
import type { SetupCode } from './interpreter.ts';

/** Writes `manifest.json` into the output folder and returns its path. */
export async function writeManifest(
  request: ExecRequest,
  keep: HarnessManifest['keep'] = undefined,
): Promise<string> {
  const { loop } = request;
  const manifest: HarnessManifest = {
    source: request.source,
    ...(request.setup === undefined ? {} : { setup: setupPart(request.setup) }),
    cell_name: request.cellName,
    cwd: request.cwd,
    inputs: { ...request.inputs },
    ...(request.mounts === undefined ? {} : { mounts: request.mounts }),
    ...(request.tables === undefined ? {} : { tables: request.tables }),
    output_dir: request.outputDir,
    env: request.env,
    mutation_defines: [...request.mutationDefines],
    ...(request.below === undefined ? {} : { below: request.below }),
    ...(request.inputUris === undefined ? {} : { input_uris: request.inputUris }),
    store: request.store === 'all' ? 'all' : [...request.store],
    ...(request.unread === undefined ? {} : { unread: request.unread }),
    ...clientFields(request.client),
    svc_cell_id: request.cellId,
    ...(loop === undefined
      ? {}
      : {
          loop: {
            iteration: loop.iteration,
            ...(loop.untilExpr === null ? {} : { until_expr: loop.untilExpr }),
          },
        }),
    ...(request.tests === undefined ? {} : { tests: request.tests }),
    ...(request.promptValues === undefined ? {} : { prompt_values: request.promptValues }),
    ...(keep === undefined ? {} : { keep }),
    ...(request.notebookId === undefined ? {} : { svc_notebook_id: request.notebookId }),
  };
  const path = join(request.outputDir, MANIFEST_FILE);
  const text = JSON.stringify(manifest);
  await writeOver(path, text);
  return path;
}

/** The set-up cell in the form that a harness and a worker take. */
export function setupPart({ source, cellName }: SetupCode): NonNullable<HarnessManifest['setup']> {
  return { source, cell_name: cellName };
}

type ReadResult =
  | { readonly kind: 'result'; readonly result: HarnessResult }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly message: string };

/** A result holds previews, not values, so a larger file was not written by the harness. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024;

/** Reads and checks the result. The cell could write to the folder too, so nothing in it is trusted. */
export async function readResult(outputDir: string): Promise<ReadResult> {
  let text: string;
  try {
    const path = join(outputDir, HARNESS_RESULT_FILE);
    text = (await readFileAt(path, { maxBytes: MAX_RESULT_BYTES })).toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return { kind: 'missing' };
    if (!(error instanceof PlaceRefusal)) throw error;
    if (error.kind === 'too long')
      return { kind: 'unusable', message: 'The result file of the cell is larger than 64 MiB.' };
    return { kind: 'unusable', message: 'The result file of the cell is not a regular file.' };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'unusable', message: 'The result file of the cell is not JSON.' };
  }
  const parsed = harnessResult.safeParse(value);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    return { kind: 'unusable', message: `The result file of the cell is not valid (${where}).` };
  }
  const stray = filesOf(parsed.data).find((file) => !isPlainName(file));
  if (stray !== undefined) {
    return { kind: 'unusable', message: `The result names a file outside its folder: ${stray}` };
  }
  return { kind: 'result', result: parsed.data };
}

function filesOf(result: HarnessResult): readonly string[] {
  return [...Object.values(result.variables), ...result.displays].flatMap((output) =>
    'file' in output && output.file !== undefined ? [output.file] : [],
  );
}

function isPlainName(file: string): boolean {
  return file !== '' && file !== '.' && file !== '..' && !/[/\\\0]/.test(file);
}
