/** Details of one artifact version on the Artifacts page: its facts, its inputs, its dependents and its actions. */

import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { CatalogEntry } from '../../src-shared/wire/routes/artifactCatalog.ts';
import { callRoute } from '../live/rest.ts';
import { restUrl } from '../live/serverUrls.ts';
import { useAnswer } from '../live/useAnswer.ts';
import { useTask } from '../live/useTask.ts';
import { agoText } from '../ui/ago.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { saveFrom } from '../ui/saveFrom.ts';
import { toast } from '../ui/toastStore.ts';
import { useNow } from '../ui/useNow.ts';
import { ARTIFACT_WORDS } from '../words/artifacts.ts';
import { LINEAGE_WORDS } from '../words/lineage.ts';
import { countText } from '../words/strings.ts';
import { ArtifactDialog, type ArtifactDialogKind } from './ArtifactDialogs.tsx';
import { CompareArtifactsDialog } from './CompareArtifactsDialog.tsx';
import { HoldList } from './HoldList.tsx';

/** One version: its facts, its inputs, its dependents, and its actions. */
export function ArtifactDetails(props: {
  readonly entry: CatalogEntry;
  readonly onClose: () => void;
  readonly onChanged: () => void;
  /** Absent if the lineage is already shown. */
  readonly onLineage?: () => void;
}) {
  const { entry, onClose, onChanged, onLineage } = props;
  const params = { artifact_id: entry.artifact_id, version: String(entry.version) };
  const [changes, setChanges] = useState(0);
  const [dialog, setDialog] = useState<ArtifactDialogKind | null>(null);
  const [comparing, setComparing] = useState(false);
  const options = { subject: entry.artifact_uri, key: String(changes) };
  const facts = useAnswer('artifactVersion', { params }, options);
  const tags = useAnswer('artifactTags', { params }, options);
  const lineage = useAnswer('artifactLineage', { params, query: { max_depth: '25' } }, options);
  const holds = useAnswer('artifactHolds', { params }, options);
  const dependents = useAnswer('artifactDependents', { params, query: { limit: '100' } }, options);
  const { busy, problem, run } = useTask();
  const changed = (): void => {
    setChanges((count) => count + 1);
    onChanged();
  };
  const isPublished = holds.value?.holds.some(({ kind }) => kind === 'published') === true;
  const isPinned = entry.kept_because.includes('pinned');
  const pin = (): void =>
    run(async (signal) => {
      const reason = ARTIFACT_WORDS.pinReason;
      if (isPinned) await callRoute('unpinArtifact', { params, query: { reason } }, { signal });
      else await callRoute('pinArtifact', { params, body: { reason } }, { signal });
      changed();
    });
  const download = (): void => {
    const path = `/v1/artifacts/${encodeURIComponent(entry.artifact_id)}/v/${entry.version}/data`;
    saveFrom(restUrl(path).href, entry.artifact_id);
  };
  const tagWords = Object.entries(tags.value?.tags ?? {}).map(([key, value]) => `${key}=${value}`);
  const now = useNow(true, 60_000);
  const inputs = lineage.value?.nodes.filter(({ uri }) => uri !== entry.artifact_uri) ?? [];
  const problems = [problem, facts.problem, lineage.problem].filter((one) => one !== null);
  return (
    <aside className="artifact-details" aria-label={ARTIFACT_WORDS.details}>
      <header>
        <h2>{entry.names[0] ?? entry.artifact_id}</h2>
        <IconButton label={ARTIFACT_WORDS.close} onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </header>
      {problems.length === 0 ? null : <Notice tone="error">{problems[0]}</Notice>}
      <div className="artifact-actions">
        {onLineage === undefined ? null : <Button onClick={onLineage}>{LINEAGE_WORDS.open}</Button>}
        <Button onClick={() => setComparing(true)}>{ARTIFACT_WORDS.compare}</Button>
        <Button onClick={download}>{ARTIFACT_WORDS.download}</Button>
        <Button onClick={pin} disabled={busy}>
          {isPinned ? ARTIFACT_WORDS.unpin : ARTIFACT_WORDS.pin}
        </Button>
        <Button onClick={() => setDialog('name')}>{ARTIFACT_WORDS.name}</Button>
        <Button onClick={() => setDialog('tag')}>{ARTIFACT_WORDS.tag}</Button>
        <Button onClick={() => setDialog(isPublished ? 'withdraw' : 'publish')}>
          {isPublished ? ARTIFACT_WORDS.withdraw : ARTIFACT_WORDS.publish}
        </Button>
        <Button onClick={() => setDialog('delete')}>{ARTIFACT_WORDS.delete}</Button>
      </div>
      <dl>
        <Fact label={ARTIFACT_WORDS.facts.state}>{entry.state}</Fact>
        <Fact label={ARTIFACT_WORDS.facts.rows}>
          {entry.row_count === null ? null : countText(entry.row_count)}
        </Fact>
        <Fact label={ARTIFACT_WORDS.facts.by}>{entry.principal}</Fact>
        <Fact label={ARTIFACT_WORDS.facts.used}>
          {entry.last_used_at === null ? null : agoText(entry.last_used_at * 1000, now)}
        </Fact>
        <Fact label={ARTIFACT_WORDS.facts.names}>{entry.names.join(', ')}</Fact>
        <Fact label={ARTIFACT_WORDS.facts.tags}>{tagWords.join(', ')}</Fact>
        <Fact label={ARTIFACT_WORDS.facts.digest}>{facts.value?.content_sha256}</Fact>
      </dl>
      {holds.value === null ? null : <HoldList holds={holds.value.holds} now={now} />}
      <section aria-label={ARTIFACT_WORDS.lineage}>
        <h3>{ARTIFACT_WORDS.lineage}</h3>
        {lineage.value !== null && inputs.length === 0 ? <p>{ARTIFACT_WORDS.noLineage}</p> : null}
        <ul>
          {inputs.map(({ uri }) => (
            <li key={uri}>
              <bdi>{uri}</bdi>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label={ARTIFACT_WORDS.dependents}>
        <h3>{ARTIFACT_WORDS.dependents}</h3>
        {dependents.value?.total_count === 0 ? <p>{ARTIFACT_WORDS.noDependents}</p> : null}
        <ul>
          {dependents.value?.dependents.map(({ artifact_uri, name }) => (
            <li key={artifact_uri}>
              <bdi>{name ?? artifact_uri}</bdi>
            </li>
          ))}
        </ul>
      </section>
      {comparing ? <CompareArtifactsDialog entry={entry} onClose={() => setComparing(false)} /> : null}
      {dialog === null ? null : (
        <ArtifactDialog
          kind={dialog}
          entry={entry}
          onClose={() => setDialog(null)}
          onDone={(isGone) => {
            if (isGone) {
              toast(ARTIFACT_WORDS.deleted);
              onClose();
            }
            changed();
          }}
        />
      )}
    </aside>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {children === null || children === undefined || children === '' ? ARTIFACT_WORDS.none : children}
      </dd>
    </>
  );
}
