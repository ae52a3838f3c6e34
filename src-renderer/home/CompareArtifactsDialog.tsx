/** Dialog of the Artifacts page that compares an artifact version with another one. */

import { useState } from 'react';
import type { CatalogEntry } from '../../src-shared/wire/routes/artifactCatalog.ts';
import type { Comparison } from '../../src-shared/wire/routes/comparison.ts';
import { useAnswer } from '../live/useAnswer.ts';
import { ComparisonView } from '../outputs/ComparisonView.tsx';
import { agoText } from '../ui/ago.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Select } from '../ui/Select.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useNow } from '../ui/useNow.ts';
import { ARTIFACT_WORDS } from '../words/artifacts.ts';
import { COMPARE_WORDS } from '../words/compare.ts';

/** The value of the key field for matching rows by position; no column can have this name. */
const BY_POSITION = '\0';

/** Compares a version with another one: versions of the same artifact come first, then recent ones of the same kind. */
export function CompareArtifactsDialog({
  entry,
  onClose,
}: {
  readonly entry: CatalogEntry;
  readonly onClose: () => void;
}) {
  const own = useAnswer(
    'artifactCatalog',
    { query: { search: entry.artifact_id, limit: '100' } },
    { subject: entry.artifact_uri, key: '' },
  );
  const recent = useAnswer(
    'artifactCatalog',
    { query: { content_type: entry.content_type, limit: '100' } },
    { subject: entry.artifact_uri, key: '' },
  );
  const others = othersOf(entry, [...(own.value?.artifacts ?? []), ...(recent.value?.artifacts ?? [])]);
  const [chosenUri, setChosenUri] = useState<string | null>(null);
  const now = useNow(true, 60_000);
  const before = chosenUri ?? others[0]?.artifact_uri ?? null;
  const problem = own.problem ?? recent.problem;
  return (
    <Dialog
      open
      onClose={onClose}
      size="l"
      title={ARTIFACT_WORDS.compareTitle(entry.names[0] ?? entry.artifact_id)}
    >
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {before !== null ? (
        <>
          <Select
            label={ARTIFACT_WORDS.compareWith}
            value={before}
            options={others.map((one) => ({ value: one.artifact_uri, label: labelOf(one, now) }))}
            onChange={setChosenUri}
          />
          <Compared key={before} before={before} after={entry.artifact_uri} />
        </>
      ) : own.loading || recent.loading ? (
        <Spinner label={COMPARE_WORDS.looking} />
      ) : problem === null ? (
        <p className="panel-quiet">{ARTIFACT_WORDS.compareNone}</p>
      ) : null}
    </Dialog>
  );
}

/** Other versions with data, each once: first those of the same artifact, the newest first. */
function othersOf(entry: CatalogEntry, listed: readonly CatalogEntry[]): readonly CatalogEntry[] {
  const byUri = new Map(
    listed
      .filter(({ state }) => state === 'ready' || state === 'superseded')
      .map((one) => [one.artifact_uri, one] as const),
  );
  byUri.delete(entry.artifact_uri);
  const isOwn = (one: CatalogEntry): boolean => one.artifact_id === entry.artifact_id;
  const all = [...byUri.values()];
  return [
    ...all.filter(isOwn),
    ...all.filter((one) => !isOwn(one) && one.content_type === entry.content_type),
  ];
}

function labelOf({ names, artifact_id, version, created_at }: CatalogEntry, now: number): string {
  return `${names[0] ?? artifact_id} v${version} · ${agoText(created_at * 1000, now)}`;
}

function Compared({ before, after }: { readonly before: string; readonly after: string }) {
  const [column, setColumn] = useState<string | null>(null);
  const { value, problem, loading } = useAnswer(
    'compareArtifacts',
    {
      query: {
        before,
        after,
        match: column === BY_POSITION ? 'position' : 'key',
        ...(column === null || column === BY_POSITION ? {} : { column }),
      },
    },
    { subject: `${before} ${after}`, key: column ?? '' },
  );
  const comparison = value?.comparison ?? null;
  return (
    <div className="compare-view" aria-live="polite" aria-busy={loading}>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {comparison === null ? (
        problem === null ? (
          <Spinner label={COMPARE_WORDS.comparing} />
        ) : null
      ) : (
        <>
          <KeyField comparison={comparison} onChange={setColumn} />
          <ComparisonView comparison={comparison} />
        </>
      )}
    </div>
  );
}

/** Selects the column by which rows of two tables are matched. */
function KeyField(props: { readonly comparison: Comparison; readonly onChange: (column: string) => void }) {
  const { comparison, onChange } = props;
  if (comparison.kind !== 'table' || comparison.by_key === undefined) return null;
  const { column, columns } = comparison.by_key;
  if (columns.length === 0) return null;
  return (
    <Select
      label={COMPARE_WORDS.matchBy}
      value={column ?? BY_POSITION}
      options={[
        ...columns.map((name) => ({ value: name, label: name })),
        { value: BY_POSITION, label: COMPARE_WORDS.byPosition },
      ].filter(({ value }) => value !== '')}
      onChange={onChange}
    />
  );
}
