/** The form fields of one condition of a table's filter: operator and values. */

import { TextField } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import type { ColumnKind } from './columnKind.ts';
import { OPERATORS_OF, valuesOf } from './columnKind.ts';
import type { ConditionDraft, DraftResult } from './conditionDraft.ts';
import type { TableQuery } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';
import { ValueList } from './ValueList.tsx';

/** The operator and the values of one condition, as fields that match the kind of its column. */
export function ConditionFields(props: {
  draft: ConditionDraft;
  kind: ColumnKind;
  /** The table from which lists of values are read. */
  source: TableSource;
  query: TableQuery;
  problem: Extract<DraftResult, { kind: 'problem' }> | null;
  autoFocus?: boolean;
  onDraft: (draft: ConditionDraft) => void;
}) {
  const { draft, kind, source, query, problem, autoFocus = false, onDraft } = props;
  const { op, texts } = draft;
  const count = valuesOf(op);
  const problemAt = (at: 0 | 1): string | null => (problem?.at === at ? problem.words : null);
  const field = (at: 0 | 1, label: string) => (
    <TextField
      label={label}
      value={texts[at]}
      autoFocus={autoFocus && at === 0}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      placeholder={kind === 'temporal' ? '2025-01-31 12:00' : op === 'regex' ? '^A[0-9]+' : ''}
      mono={op === 'regex'}
      problem={problemAt(at)}
      onChange={(text) => onDraft({ ...draft, texts: at === 0 ? [text, texts[1]] : [texts[0], text] })}
    />
  );
  return (
    <>
      <Select
        label={TABLE_WORDS.filterOperator}
        hideLabel
        value={op}
        options={OPERATORS_OF[kind].map((value) => ({ value, label: TABLE_WORDS.ops[value] }))}
        onChange={(next) => onDraft({ ...draft, op: next })}
      />
      {count === 'list' ? (
        <ValueList
          source={source}
          query={query}
          column={draft.col}
          values={draft.values}
          problem={problemAt(0)}
          onValues={(values) => onDraft({ ...draft, values })}
        />
      ) : count === 0 ? null : kind === 'bool' ? (
        <Select
          label={TABLE_WORDS.filterValue}
          hideLabel
          value={texts[0] === 'false' ? 'false' : 'true'}
          options={[
            { value: 'true', label: TABLE_WORDS.yes },
            { value: 'false', label: TABLE_WORDS.no },
          ]}
          onChange={(text) => onDraft({ ...draft, texts: [text, ''] })}
        />
      ) : (
        field(0, count === 2 ? TABLE_WORDS.filterFrom : TABLE_WORDS.filterValue)
      )}
      {count === 2 ? field(1, TABLE_WORDS.filterTo) : null}
    </>
  );
}
