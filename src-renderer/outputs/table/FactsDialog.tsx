/** Dialog with all statistics of one column of a table result. */

import './facts.css';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { shortValue } from '../jsonText.ts';
import type { GridColumn } from './columnLayout.ts';
import { rangeText } from './distribution.ts';
import { factText } from './factText.ts';
import type { TableQuery } from './tableQuery.ts';
import { isNarrowed } from './tableQuery.ts';
import { type FactsState, useColumnFacts } from './useColumnFacts.ts';
import type { TableSource } from './useTablePage.ts';

const TOP = 20;

/** All statistics of one column, over the rows of the table's current view. */
export function FactsDialog(props: {
  source: TableSource;
  query: TableQuery;
  column: GridColumn;
  onClose: () => void;
}) {
  const { source, query, column, onClose } = props;
  const state = useColumnFacts(source, query, { column: column.name, most: TOP });
  return (
    <Dialog
      open
      onClose={onClose}
      title={TABLE_WORDS.factsOf(column.label || TABLE_WORDS.index)}
      footer={<Button onClick={onClose}>{TABLE_WORDS.close}</Button>}
    >
      {state.kind === 'loading' ? <p role="status">{TABLE_WORDS.loading}</p> : null}
      {state.kind === 'problem' ? <p role="alert">{state.words}</p> : null}
      {state.kind === 'facts' ? <Facts state={state} narrowed={isNarrowed(query)} /> : null}
    </Dialog>
  );
}

function Facts({ state, narrowed }: { state: Extract<FactsState, { kind: 'facts' }>; narrowed: boolean }) {
  const { facts, total } = state;
  const { moments } = facts;
  const share = (count: number): string => (total === 0 ? '0' : ((count / total) * 100).toFixed(1));
  return (
    <div className="stats">
      {narrowed ? <p className="stats-note">{TABLE_WORDS.factsNarrowed(countText(total))}</p> : null}
      <dl className="stats-list">
        <Fact name={TABLE_WORDS.factType}>{facts.dtype}</Fact>
        <Fact name={TABLE_WORDS.factRows}>{countText(total)}</Fact>
        <Fact name={TABLE_WORDS.factNulls}>{`${countText(facts.nulls)} (${share(facts.nulls)} %)`}</Fact>
        {facts.nans === 0 ? null : <Fact name="NaN">{countText(facts.nans)}</Fact>}
        <Fact name={TABLE_WORDS.factDistinct}>{countText(facts.distinct)}</Fact>
        {moments === null ? null : (
          <>
            <Fact name={TABLE_WORDS.factSum}>{factText(moments.sum)}</Fact>
            <Fact name={TABLE_WORDS.factMean}>{factText(moments.mean)}</Fact>
            {moments.std === null ? null : <Fact name={TABLE_WORDS.factStd}>{factText(moments.std)}</Fact>}
          </>
        )}
      </dl>
      {facts.quantiles.length === 0 ? null : (
        <section>
          <h3 className="stats-title">{TABLE_WORDS.factQuantiles}</h3>
          <dl className="stats-list">
            {facts.quantiles.map(({ q, value }) => (
              <Fact key={q} name={quantileName(q)}>
                {typeof value === 'number' ? factText(value) : shortValue(value).replace('T', ' ')}
              </Fact>
            ))}
          </dl>
        </section>
      )}
      {facts.bins === null || facts.bins.length === 0 ? null : (
        <section>
          <h3 className="stats-title">{TABLE_WORDS.factHistogram}</h3>
          <Bars
            rows={facts.bins.map(({ from, to, count }) => ({ words: rangeText(from, to), count }))}
            share={share}
          />
        </section>
      )}
      {facts.top.length === 0 ? null : (
        <section>
          <h3 className="stats-title">
            {facts.matching > facts.top.length
              ? TABLE_WORDS.factTopOf(countText(facts.top.length), countText(facts.matching))
              : TABLE_WORDS.factTop}
          </h3>
          <Bars
            rows={facts.top.map(({ value, count }) => ({
              words: value === '' ? TABLE_WORDS.emptyText : shortValue(value),
              count,
            }))}
            share={share}
          />
        </section>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="stat">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A table, so that screen readers read each count with its value; the bars are only visual. */
function Bars(props: {
  rows: readonly { readonly words: string; readonly count: number }[];
  share: (count: number) => string;
}) {
  const { rows, share } = props;
  const most = rows.reduce((high, { count }) => Math.max(high, count), 1);
  return (
    <table className="stats-bars">
      <tbody>
        {rows.map(({ words, count }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same text
          <tr key={`${at} ${words}`}>
            <th scope="row" title={words}>
              {words}
            </th>
            <td className="stats-bar-box" aria-hidden="true">
              <span className="stats-bar" style={{ width: `${(count / most) * 100}%` }} />
            </td>
            <td className="stats-count">{countText(count)}</td>
            <td className="stats-count">{`${share(count)} %`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function quantileName(q: number): string {
  const names: Readonly<Record<string, string>> = TABLE_WORDS.quantileNames;
  return names[String(q)] ?? `${q * 100} %`;
}
