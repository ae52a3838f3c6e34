/** Runs a widget cell as one step of a run: stores the values of its controls, without a process. */

import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import type { OutputPreview } from '../../../src-shared/wire/output.ts';
import { type ArtifactRow, type NewArtifact, type Promotion, StoreError } from '../../artifacts/artifact.ts';
import { WORLD_PARAM } from '../observed/world.ts';
import type { StepOutcome, WidgetStep } from '../step.ts';
import { failedStep } from '../stepFailure.ts';
import type { LanguageStep, StepTools } from '../stepTools.ts';
import { versionsOf } from '../storedVersions.ts';
import type { KeyedControl } from './widgetRequest.ts';

const JSON_TYPE = 'json/object';

/**
 * Runs a widget cell: stores the value of each control that later cells read (docs/spec/widgets-and-app-view.md, 1). A
 * control whose value is already stored keeps it, and an older version of the same value becomes current
 * again: then the run is a hit. No process is started.
 */
export const widgetStep: LanguageStep<'widget'> = async ({ store }, request, { runId }) => {
  const startedAt = performance.now();
  const durationMs = () => performance.now() - startedAt;
  const { widget } = request;
  if (widget.problem !== null)
    return { ...failedStep(widget.problem, null), suggestInstall: null, durationMs: durationMs() };
  const due = dueOf(request);
  let promoted: readonly ArtifactRow[];
  try {
    promoted = due.promotions.length === 0 ? [] : store.promote(due.promotions);
  } catch (error) {
    // Deleted in the meantime: a value of a few bytes is written again.
    const isGone =
      error instanceof StoreError && (error.code === 'blob_missing' || error.code === 'unknown_version');
    if (!isGone) throw error;
    return { ...(await publish(store, { request, runId, controls: due.all })), durationMs: durationMs() };
  }
  if (due.unstored.length === 0) {
    const printed = { stdout: '', stderr: '' };
    return { kind: 'hit', promoted, displays: [], console: printed, durationMs: durationMs() };
  }
  const ran = await publish(store, { request, runId, controls: due.unstored });
  return { ...ran, published: [...promoted, ...ran.published], durationMs: durationMs() };
};

interface Due {
  /** The controls whose current version has another value. */
  readonly all: readonly KeyedControl[];
  readonly promotions: readonly Promotion[];
  readonly unstored: readonly KeyedControl[];
}

function dueOf(request: WidgetStep): Due {
  const { controls, reuses } = request.widget;
  const names = new Set(request.leaves !== 'none' ? controls.map(({ name }) => name) : request.consumed);
  const all: KeyedControl[] = [];
  const unstored: KeyedControl[] = [];
  const promotions: Promotion[] = [];
  for (const control of controls) {
    if (!names.has(control.name)) continue;
    const versions = reuses ? versionsOf(request.stored, control.name) : [];
    if (versions[0]?.provenanceHash === control.key) continue;
    all.push(control);
    const older = versions.find(({ provenanceHash }) => provenanceHash === control.key);
    if (older === undefined) unstored.push(control);
    else {
      promotions.push({
        id: older.id,
        fromVersion: older.version,
        provenanceHash: control.key,
        contentKey: null,
      });
    }
  }
  return { all, promotions, unstored };
}

type Ran = Omit<Extract<StepOutcome, { kind: 'ran' }>, 'durationMs'>;

async function publish(
  store: StepTools['store'],
  run: { readonly request: WidgetStep; readonly runId: string; readonly controls: readonly KeyedControl[] },
): Promise<Ran> {
  const published = await store.publish(run.controls.map((control) => artifactOf(run, control)));
  return {
    kind: 'ran',
    published,
    outputs: Object.fromEntries(run.controls.map((control) => [control.name, previewOf(control)])),
    displays: [],
    stdout: '',
    stderr: '',
    method: 'widget',
    mutationWarnings: [],
  };
}

function artifactOf(
  { request, runId }: { readonly request: WidgetStep; readonly runId: string },
  { name, text, key }: KeyedControl,
): NewArtifact {
  const { notebookId, cellId, sourceHash, source } = request;
  return {
    id: artifactIdOf(notebookId, cellId, name),
    provenanceHash: key,
    contentKey: null,
    contentType: JSON_TYPE,
    params: {
      cell_id: cellId,
      variable_name: name,
      content_type: JSON_TYPE,
      source_hash: sourceHash,
      source,
      run: runId,
      // A value that a user set depends on nothing else.
      [WORLD_PARAM]: '',
    },
    inputVersions: {},
    rowCount: null,
    schemaJson: null,
    blob: { bytes: Buffer.from(text) },
  };
}

function previewOf({ text, value }: KeyedControl): OutputPreview {
  return { content_type: JSON_TYPE, bytes: Buffer.byteLength(text), preview: value };
}
