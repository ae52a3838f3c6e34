/** Dialog that compares two stored results of one variable of a cell. */

import { useState } from 'react';
import type { ResultVersion } from '../../../src-shared/wire/routes/extensions.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import { ComparisonView } from '../../outputs/ComparisonView.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { COMPARE_WORDS } from '../../words/compare.ts';
import { versionText } from './ResultVersions.tsx';

type Versions = ReadonlyMap<string, readonly ResultVersion[]>;

/**
 * Lets the user select two stored results of one variable, and shows how they differ. `versions` has the variables with
 * at least two.
 */
export function CompareDialog(props: {
  onClose: () => void;
  cellId: string;
  name: string;
  /** Null until the stored results are loaded. */
  versions: Versions | null;
  problem: string | null;
}) {
  const { onClose, cellId, name, versions, problem } = props;
  return (
    <Dialog open onClose={onClose} size="l" title={COMPARE_WORDS.title(name)}>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {versions === null ? (
        problem === null ? (
          <Spinner label={COMPARE_WORDS.looking} />
        ) : null
      ) : versions.size === 0 ? (
        <p className="panel-quiet">{COMPARE_WORDS.nothing}</p>
      ) : (
        <Compare cellId={cellId} versions={versions} />
      )}
    </Dialog>
  );
}

function Compare({ cellId, versions }: { cellId: string; versions: Versions }) {
  const [chosenVariable, setChosenVariable] = useState<string | null>(null);
  const variable =
    chosenVariable !== null && versions.has(chosenVariable)
      ? chosenVariable
      : ([...versions.keys()][0] ?? '');
  return (
    <>
      {versions.size > 1 ? (
        <Select
          label={COMPARE_WORDS.variable}
          value={variable}
          options={[...versions.keys()].map((one) => ({ value: one, label: one }))}
          onChange={setChosenVariable}
        />
      ) : null}
      <Pair key={variable} cellId={cellId} kept={versions.get(variable) ?? []} />
    </>
  );
}

function Pair({ cellId, kept: keptResults }: { cellId: string; kept: readonly ResultVersion[] }) {
  const sessionId = useView((view) => view.sessionId);
  const [older, setOlder] = useState<string | null>(null);
  const [newer, setNewer] = useState<string | null>(null);
  // The selected version may have been pruned in the meantime.
  const uriOf = (wantedUri: string | null, at: number): string =>
    (keptResults.find(({ artifact_uri }) => artifact_uri === wantedUri) ?? keptResults[at])?.artifact_uri ??
    '';
  const [before, after] = [uriOf(older, 1), uriOf(newer, 0)];
  const { value, problem, loading } = useAnswer(
    'compareResults',
    { params: { sid: sessionId, cell_id: cellId }, query: { before, after } },
    { subject: `${before} ${after}`, key: '' },
  );
  const options = keptResults.map((one) => ({ value: one.artifact_uri, label: versionText(one) }));
  return (
    <>
      <div className="compare-pair">
        <Select label={COMPARE_WORDS.before} value={before} options={options} onChange={setOlder} />
        <Select label={COMPARE_WORDS.after} value={after} options={options} onChange={setNewer} />
      </div>
      <div className="compare-view" aria-live="polite" aria-busy={loading}>
        {problem === null ? null : <Notice tone="error">{problem}</Notice>}
        {value !== null ? (
          <ComparisonView comparison={value.comparison} />
        ) : problem === null ? (
          <Spinner label={COMPARE_WORDS.comparing} />
        ) : null}
      </div>
    </>
  );
}
