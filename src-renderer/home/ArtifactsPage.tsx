/**
 * The Artifacts page: lists the stored results (artifact versions) of the server, why each is kept, and their actions.
 */

import './artifacts.css';
import { HardDrive, Package } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAnswer } from '../live/useAnswer.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { SearchField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Select } from '../ui/Select.tsx';
import { ARTIFACT_WORDS } from '../words/artifacts.ts';
import { WORDS } from '../words/strings.ts';
import { ArtifactDetails } from './ArtifactDetails.tsx';
import { ArtifactTable } from './ArtifactTable.tsx';
import { FreeArtifactsDialog } from './FreeArtifactsDialog.tsx';
import { LineageView } from './lineage/LineageView.tsx';
import { paramsOf } from './lineage/useLineage.ts';
import { type Filter, useCatalog } from './useCatalog.ts';

const NO_FILTER: Filter = { search: '', kind: 'all', kept: 'all' };

/** The artifact store of the server: its versions, why each is kept, and their actions. */
export function ArtifactsPage() {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [selected, setSelected] = useState<string | null>(null);
  /** The version whose lineage is shown; null while the list is shown. */
  const [root, setRoot] = useState<string | null>(null);
  const [freeing, setFreeing] = useState(false);
  const catalog = useCatalog(filter);
  useEffect(() => {
    document.title = `${ARTIFACT_WORDS.title} – ${WORDS.appName}`;
  }, []);
  const { entries } = catalog;
  const listed = entries?.find(({ artifact_uri }) => artifact_uri === selected) ?? null;
  // In the lineage, versions can be selected that the list does not contain.
  const isElsewhere = selected !== null && listed === null && root !== null && paramsOf(selected) !== null;
  const elsewhere = useAnswer('artifactCatalog', isElsewhere ? { query: { uri: selected } } : null, {
    subject: selected ?? '',
    key: '',
  });
  const selectedArtifact = listed ?? (isElsewhere ? (elsewhere.value?.artifacts[0] ?? null) : null);
  const isFiltered = filter.search !== '' || filter.kind !== 'all' || filter.kept !== 'all';
  return (
    <main className="artifacts">
      <header className="artifacts-head">
        <h1>
          <Package size={20} aria-hidden="true" /> {ARTIFACT_WORDS.title}
          <span className="grow" />
          <a className="btn btn-plain" href="#/">
            {WORDS.backHome}
          </a>
        </h1>
        <SearchField
          label={ARTIFACT_WORDS.search}
          value={filter.search}
          onChange={(search) => setFilter({ ...filter, search })}
        />
        <Select
          label={ARTIFACT_WORDS.kind}
          value={filter.kind}
          options={optionsOf(ARTIFACT_WORDS.kinds)}
          onChange={(kind) => setFilter({ ...filter, kind })}
        />
        <Select
          label={ARTIFACT_WORDS.kept}
          value={filter.kept}
          options={optionsOf(ARTIFACT_WORDS.keptOptions)}
          onChange={(keptOnly) => setFilter({ ...filter, kept: keptOnly })}
        />
        <Button icon={<HardDrive aria-hidden="true" />} onClick={() => setFreeing(true)}>
          {ARTIFACT_WORDS.free}
        </Button>
      </header>
      <div className={selectedArtifact === null ? 'artifacts-body' : 'artifacts-body with-details'}>
        {root === null ? (
          <section className="artifacts-list" aria-label={ARTIFACT_WORDS.title} aria-busy={catalog.loading}>
            {catalog.problem === null ? null : <Notice tone="error">{catalog.problem}</Notice>}
            {entries === null ? null : entries.length === 0 ? (
              <EmptyState
                icon={<Package />}
                title={isFiltered ? ARTIFACT_WORDS.noMatch : ARTIFACT_WORDS.empty}
              >
                {isFiltered ? ARTIFACT_WORDS.noMatchText : ARTIFACT_WORDS.emptyText}
              </EmptyState>
            ) : (
              <>
                <ArtifactTable entries={entries} selected={selected} onSelect={setSelected} />
                <footer className="artifacts-foot">
                  <span role="status">
                    {ARTIFACT_WORDS.total(entries.length, catalog.hasMore, catalog.totalBytes)}
                  </span>
                  {catalog.hasMore ? <Button onClick={catalog.more}>{ARTIFACT_WORDS.more}</Button> : null}
                </footer>
              </>
            )}
          </section>
        ) : (
          <LineageView
            root={root}
            focused={selected ?? root}
            onFocus={setSelected}
            onClose={() => setRoot(null)}
          />
        )}
        {selectedArtifact === null ? null : (
          <ArtifactDetails
            key={selectedArtifact.artifact_uri}
            entry={selectedArtifact}
            onClose={() => setSelected(null)}
            onChanged={() => {
              catalog.again();
              elsewhere.again();
            }}
            {...(root === null ? { onLineage: () => setRoot(selectedArtifact.artifact_uri) } : {})}
          />
        )}
      </div>
      {freeing ? <FreeArtifactsDialog onClose={() => setFreeing(false)} onFreed={catalog.again} /> : null}
    </main>
  );
}

function optionsOf<K extends string>(words: Readonly<Record<K, string>>) {
  return (Object.keys(words) as K[]).map((value) => ({ value, label: words[value] })); // keys of a literal
}
