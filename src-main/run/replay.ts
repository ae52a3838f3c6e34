/** Reads stored displays and consoles, so that a stored result shows what its run showed. */

import * as z from 'zod';
import { readVariantLabel } from '../../src-shared/notebook/variants.ts';
import type { Output } from '../../src-shared/wire/output.ts';
import type { ArtifactRow, ArtifactStore } from '../artifacts/artifact.ts';
import { artifactUri } from '../artifacts/uri.ts';
import { readPlainFile } from '../lib/plainFile.ts';
import { tryParseJson } from '../lib/tryParseJson.ts';
import { CONSOLE_LABEL, displayLabel, runOf, type StoredResult } from './cache.ts';
import { readRecorded, withInlineBytes } from './displays.ts';
import { type PrintedOutput, printedBy } from './printedOutput.ts';
import type { StoredVersions } from './storedVersions.ts';

const storedConsole = z.object({ stdout: z.string(), stderr: z.string() });

/**
 * A hit's own displays, with the bytes of images and Markdown. An unreadable one makes the hit a miss (null).
 */
export async function replayDisplays(
  store: ArtifactStore,
  stored: Pick<StoredResult, 'rows' | 'displayCount'>,
): Promise<readonly Output[] | null> {
  const displays: Output[] = [];
  for (let i = 0; i < stored.displayCount; i++) {
    const row = stored.rows[displayLabel(i)];
    if (row === undefined) continue;
    const display = await replayDisplay(store, row);
    if (display === null) return null;
    displays.push(display);
  }
  return displays;
}

/**
 * One stored display as it was shown, or null if its blob or its record is damaged. @param fallback its record
 * from elsewhere, if its row has none because another program wrote it
 */
export async function replayDisplay(
  store: ArtifactStore,
  row: ArtifactRow,
  fallback: Output | null = null,
): Promise<Output | null> {
  const recorded = readRecorded(tryParseJson(row.params['display'] ?? '')) ?? fallback;
  if (recorded === null) return null;
  const display = { ...recorded, artifact_uri: artifactUri(row.id, row.version) };
  if (display.content_type !== 'image/png' && display.content_type !== 'text/markdown') return display;
  const readable = await store.readable(row);
  return readable.kind === 'ok' ? withInlineBytes(display, readable.path) : null;
}

/**
 * The output of the run behind the result; null if none is stored; `lost` if its blob is damaged. @param
 * versions everything that is stored of the cell
 */
export async function replayConsole(
  store: ArtifactStore,
  stored: Pick<StoredResult, 'rows'>,
  versions: StoredVersions,
): Promise<PrintedOutput | null | 'lost'> {
  const run = runOf(stored);
  const row = stored.rows[CONSOLE_LABEL] ?? consoleRowOf(versions, run);
  if (row !== undefined) return (await readStoredConsole(store, row)) ?? 'lost';
  return printedBy(versions, run);
}

/** The console that a run stored when no cell read its values, which one may read by now. */
function consoleRowOf(versions: StoredVersions, run: string | undefined): ArtifactRow | undefined {
  if (run === undefined) return undefined;
  return Object.entries(versions)
    .filter(([label]) => readVariantLabel(label).name === CONSOLE_LABEL)
    .flatMap(([, rows]) => rows)
    .find((row) => row.params['run'] === run);
}

/** The text of a stored console; null if its blob is damaged. */
export async function readStoredConsole(
  store: ArtifactStore,
  row: ArtifactRow,
): Promise<z.infer<typeof storedConsole> | null> {
  const readable = await store.readable(row);
  if (readable.kind !== 'ok') return null;
  const parsed = storedConsole.safeParse(tryParseJson(String(await readPlainFile(readable.path))));
  return parsed.success ? parsed.data : null;
}
