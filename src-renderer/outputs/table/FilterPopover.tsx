import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { isFocusLost } from '../../ui/lostFocus.ts';
import { Select } from '../../ui/Select.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import { filterValue, OPERATORS_OF, valuesOf } from './columnKind.ts';
import type { GridColumn } from './columnLayout.ts';
import type { Filter, Operator } from './tableQuery.ts';

/** Asks for the filter of one column, in the terms of its type, below its header. */
export function FilterPopover(props: {
  column: GridColumn;
  /** The header it belongs to. */
  anchor: Element;
  filter: Filter | null;
  onFilter: (filter: Filter | null) => void;
  onClose: () => void;
}) {
  const { column, anchor, filter, onFilter, onClose } = props;
  return (
    <Popover.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Popover.Anchor virtualRef={{ current: anchor }} />
      <Popover.Portal>
        <Popover.Content
          className="filter-box"
          aria-label={TABLE_WORDS.filterOf(column.label || TABLE_WORDS.index)}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onKeyDown={(event) => event.stopPropagation()}
          // The menu it was asked from gives its focus back when it closes.
          onFocusOutside={(event) => event.preventDefault()}
          onCloseAutoFocus={() => {
            if (isFocusLost(anchor)) anchor.querySelector<HTMLElement>('.head-menu')?.focus();
          }}
        >
          <FilterForm
            column={column}
            filter={filter}
            onFilter={(next) => {
              onFilter(next);
              onClose();
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function FilterForm(props: {
  column: GridColumn;
  filter: Filter | null;
  onFilter: (filter: Filter | null) => void;
}) {
  const { column, filter, onFilter } = props;
  const { kind } = column;
  const operators = OPERATORS_OF[kind];
  const [op, setOp] = useState<Operator>(filter?.op ?? operators[0] ?? 'eq');
  const [texts, setTexts] = useState<readonly [string, string]>([
    String(filter?.value ?? (kind === 'bool' ? 'true' : '')),
    String(filter?.value2 ?? ''),
  ]);
  const [problem, setProblem] = useState<string | null>(null);
  const count = valuesOf(op);
  const apply = (): void => {
    const values = texts.slice(0, count).map((text) => filterValue(kind, text));
    if (values.includes(null)) {
      setProblem(kind === 'number' ? TABLE_WORDS.filterNumber : TABLE_WORDS.filterNeeded);
      return;
    }
    const [value, value2] = values;
    onFilter({
      col: column.name,
      op,
      ...(value === undefined || value === null ? {} : { value }),
      ...(value2 === undefined || value2 === null ? {} : { value2 }),
    });
  };
  const field = (at: 0 | 1, label: string) => (
    <TextField
      label={label}
      value={texts[at]}
      autoFocus={at === 0}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      placeholder={kind === 'temporal' ? '2025-01-31 12:00' : ''}
      problem={at === 0 ? problem : null}
      onChange={(text) => {
        setProblem(null);
        setTexts(at === 0 ? [text, texts[1]] : [texts[0], text]);
      }}
    />
  );
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <strong className="filter-title">{column.label || TABLE_WORDS.index}</strong>
      <Select
        label={TABLE_WORDS.filterOperator}
        hideLabel
        value={op}
        options={operators.map((value) => ({ value, label: TABLE_WORDS.ops[value] }))}
        onChange={(next) => {
          setProblem(null);
          setOp(next);
        }}
      />
      {count === 0 ? null : kind === 'bool' ? (
        <Select
          label={TABLE_WORDS.filterValue}
          hideLabel
          value={texts[0] === 'false' ? 'false' : 'true'}
          options={[
            { value: 'true', label: TABLE_WORDS.yes },
            { value: 'false', label: TABLE_WORDS.no },
          ]}
          onChange={(text) => setTexts([text, ''])}
        />
      ) : (
        field(0, count === 2 ? TABLE_WORDS.filterFrom : TABLE_WORDS.filterValue)
      )}
      {count === 2 ? field(1, TABLE_WORDS.filterTo) : null}
      <div className="filter-foot">
        {filter === null ? null : <Button onClick={() => onFilter(null)}>{TABLE_WORDS.filterClear}</Button>}
        <span className="grow" />
        <button type="submit" className="btn btn-primary">
          {TABLE_WORDS.filterApply}
        </button>
      </div>
    </form>
  );
}
