/** The values of a column with check boxes, from which a filter condition chooses some. */

import './filterBuilder.css';
import { useEffect, useId, useState } from 'react';
import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { shortValue } from '../jsonText.ts';
import type { FilterValue, TableQuery } from './tableQuery.ts';
import { useColumnFacts } from './useColumnFacts.ts';
import type { TableSource } from './useTablePage.ts';

const SHOWN = 200;
const SEARCH_MS = 250;

/** The values of a column with a check box each, the most frequent first, and a field that searches them. */
export function ValueList(props: {
  source: TableSource;
  /** The rows whose values are offered. */
  query: TableQuery;
  column: string;
  values: readonly FilterValue[];
  problem: string | null;
  onValues: (values: readonly FilterValue[]) => void;
}) {
  const { source, query, column, values, problem, onValues } = props;
  const id = useId();
  const [text, setText] = useState('');
  const [find, setFind] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setFind(text), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const state = useColumnFacts(source, query, { column, find, most: SHOWN });
  const topValues = state.kind === 'facts' ? state.facts.top : [];
  // Chosen values stay visible during any search.
  const missing = values.filter((value) => !topValues.some((one) => one.value === value));
  const rows = [...missing.map((value) => ({ value, count: null })), ...topValues];
  const hiddenCount = state.kind === 'facts' ? state.facts.matching - topValues.length : 0;
  return (
    <fieldset className="value-list" aria-describedby={problem === null ? undefined : `${id}-problem`}>
      <legend className="visually-hidden">{TABLE_WORDS.filterValues}</legend>
      <input
        className="field value-search"
        type="search"
        value={text}
        placeholder={TABLE_WORDS.findValue}
        aria-label={TABLE_WORDS.findValue}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="value-rows">
        {rows.map(({ value, count }) => {
          const filterValue = asFilterValue(value);
          const words = value === '' ? TABLE_WORDS.emptyText : shortValue(value);
          return (
            <label key={JSON.stringify(value)} className="value-row">
              <input
                type="checkbox"
                checked={values.includes(filterValue)}
                onChange={(event) =>
                  onValues(
                    event.target.checked
                      ? [...values, filterValue]
                      : values.filter((other) => other !== filterValue),
                  )
                }
              />
              <span className="value-words" title={words}>
                {words}
              </span>
              <span className="value-count">{count === null ? '' : countText(count)}</span>
            </label>
          );
        })}
        {state.kind === 'loading' ? <p className="value-note">{TABLE_WORDS.loading}</p> : null}
        {state.kind === 'problem' ? <p className="value-note">{state.words}</p> : null}
        {state.kind === 'facts' && rows.length === 0 ? (
          <p className="value-note">{TABLE_WORDS.noValues}</p>
        ) : null}
        {hiddenCount > 0 ? (
          <p className="value-note">{TABLE_WORDS.moreValues(countText(hiddenCount))}</p>
        ) : null}
      </div>
      {problem === null ? null : (
        <p className="text-field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/** A column's value as a filter value; columns with value lists contain only plain values. */
function asFilterValue(value: unknown): FilterValue {
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
