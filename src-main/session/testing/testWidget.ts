/** The outcome of a widget cell's step without running anything, for tests of the session's reducers. */

import { createHash } from 'node:crypto';
import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import type { StepOutcome, WidgetStep } from '../../run/step.ts';

/** The outcome of a widget cell as `widgetStep` computes it, with digests for bytes. */
export function toyWidget(request: WidgetStep, nextVersion: (id: string) => number): StepOutcome {
  const { controls } = request.widget;
  const due = controls.filter(
    ({ name, key }) => request.consumed.includes(name) && request.stored[name]?.[0]?.provenanceHash !== key,
  );
  const rows = due.map(({ name, key, text }): ArtifactRow => {
    const id = artifactIdOf(request.notebookId, request.cellId, name);
    return {
      ...TOY_ROW,
      id,
      version: nextVersion(id),
      provenanceHash: key,
      contentSha256: createHash('sha256').update(text).digest('hex'),
    };
  });
  const isKnown = due.every(({ name, key }) =>
    request.stored[name]?.some(({ provenanceHash }) => provenanceHash === key),
  );
  const printed = { stdout: '', stderr: '' };
  if (isKnown) return { kind: 'hit', promoted: rows, displays: [], console: printed, durationMs: 1 };
  const ran = { kind: 'ran', published: rows, outputs: {}, displays: [], mutationWarnings: [] } as const;
  return { ...ran, ...printed, method: 'widget', durationMs: 1 };
}

const TOY_ROW = {
  state: 'ready',
  contentKey: null,
  contentType: 'json/object',
  byteSize: 1,
  rowCount: null,
  schemaJson: null,
  createdAt: 0,
  params: {},
  inputVersions: {},
} as const;
