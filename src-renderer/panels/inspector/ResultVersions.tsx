/** Lists the stored versions of a cell's results in the inspector; for each variable, one is current. */

import { useState } from 'react';
import type { ResultVersion } from '../../../src-shared/wire/routes/extensions.ts';
import type { Answer } from '../../live/useAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { INSPECTOR_WORDS } from '../../words/inspector.ts';
import { PROMOTE_WORDS } from '../../words/promote.ts';
import { bytesText } from '../../words/strings.ts';
import { whenText } from '../../words/workbench.ts';
import { shortCount } from '../outline/shapeText.ts';

const FEW = 8;

/**
 * All stored versions of the cell's results, newest first; for each variable, one of them is current.
 * @param props.onPromote null if there is no result to promote
 */
export function ResultVersions(
  props: Answer<{ results: ResultVersion[] }> & { hasRun: boolean; onPromote: (() => void) | null },
) {
  const { value, problem, hasRun, onPromote } = props;
  const [all, setAll] = useState(false);
  const results = value?.results ?? [];
  const visibleResults = all ? results : results.slice(0, FEW);
  const variables = new Set(results.map((result) => result.variable));
  return (
    <section className="panel-section">
      <h3>{INSPECTOR_WORDS.results}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {value !== null && results.length === 0 ? (
        <p className="panel-quiet">{hasRun ? INSPECTOR_WORDS.noneRead : INSPECTOR_WORDS.noResults}</p>
      ) : null}
      <ul className="plain-list">
        {visibleResults.map((result) => (
          <Result key={result.artifact_uri} result={result} named={variables.size > 1} />
        ))}
      </ul>
      {results.length > FEW && !all ? (
        <button type="button" className="link-btn" onClick={() => setAll(true)}>
          {INSPECTOR_WORDS.loadMore(results.length)}
        </button>
      ) : null}
      {onPromote === null ? null : (
        <div>
          <Button onClick={onPromote}>{PROMOTE_WORDS.open}</Button>
        </div>
      )}
    </section>
  );
}

function Result({ result, named }: { result: ResultVersion; named: boolean }) {
  return (
    <li className={result.current ? 'kept kept-now' : 'kept'} title={result.artifact_uri}>
      <span className="kept-what">
        {named ? <b>{result.variable}</b> : null} {versionText(result)}
      </span>
      <span className="kept-size">{sizeOf(result)}</span>
    </li>
  );
}

/** For example "v6 · yesterday, shown". */
export function versionText({ version, created_at, current }: ResultVersion): string {
  const when = whenText(Date.parse(created_at), Date.now());
  return `${INSPECTOR_WORDS.version(version)} · ${when}${current ? `, ${INSPECTOR_WORDS.shown}` : ''}`;
}

function sizeOf({ rows, columns, byte_size }: ResultVersion): string {
  const shape =
    rows === null ? '' : `${shortCount(rows)}${columns === null ? '' : ` × ${columns.length}`} · `;
  return `${shape}${bytesText(byte_size)}`;
}
