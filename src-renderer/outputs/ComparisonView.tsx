import './compare.css';
import type { Comparison } from '../../src-shared/wire/routes/comparison.ts';
import { DiffView } from '../ui/DiffView.tsx';
import { COMPARE_WORDS as W } from '../words/compare.ts';
import { countText } from '../words/strings.ts';
import { shortValue } from './jsonText.ts';

/** The differences between two stored results, in the form that their kind allows. */
export function ComparisonView({ comparison }: { comparison: Comparison }) {
  switch (comparison.kind) {
    case 'same':
      return <p className="panel-quiet">{W.same}</p>;
    case 'other':
      return <p className="panel-quiet">{comparison.reason}</p>;
    case 'text':
      return <DiffView before={comparison.before} after={comparison.after} label={W.difference} />;
    case 'image':
      return (
        <div className="compare-pair">
          <Picture label={W.before} base64={comparison.before} />
          <Picture label={W.after} base64={comparison.after} />
        </div>
      );
    case 'table':
      return <Tables comparison={comparison} />;
    default:
      return comparison satisfies never;
  }
}

function Picture({ label, base64 }: { label: string; base64: string }) {
  // JPEG begins with FF D8; every other picture here is PNG.
  const type = base64.startsWith('/9j/') ? 'jpeg' : 'png';
  return <img className="compare-picture" src={`data:image/${type};base64,${base64}`} alt={label} />;
}

function Tables({ comparison }: { comparison: Extract<Comparison, { kind: 'table' }> }) {
  const {
    rows,
    columns_added: added,
    columns_removed: removed,
    differences,
    rows_compared,
    by_key,
  } = comparison;
  const key = by_key?.column ?? null;
  const facts: readonly (readonly [string, string])[] = [
    [
      W.rows,
      rows.before === rows.after
        ? W.bothHave(countText(rows.after))
        : `${countText(rows.before)} → ${countText(rows.after)}`,
    ],
    ...(added.length === 0 ? [] : [[W.columnsAdded, added.join(', ')] as const]),
    ...(removed.length === 0 ? [] : [[W.columnsRemoved, removed.join(', ')] as const]),
    ...(added.length + removed.length === 0 ? [[W.columns, W.sameColumns] as const] : []),
    ...(by_key === undefined ? [] : [[W.matched, key ?? W.position] as const]),
    ...(key === null || by_key === undefined
      ? []
      : [[W.rowsAdded, onlyText(by_key.added)] as const, [W.rowsRemoved, onlyText(by_key.removed)] as const]),
  ];
  return (
    <>
      <dl className="compare-facts">
        {facts.map(([what, text]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="panel-quiet">
        {key !== null
          ? W.byKey(countText(rows_compared), differences.length > 0)
          : differences.length === 0
            ? W.noDifference(countText(rows_compared))
            : W.firstDifferences(countText(rows_compared))}
      </p>
      {differences.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be focusable to scroll by keyboard
        <section className="compare-table" tabIndex={0} aria-label={W.difference}>
          <table>
            <thead>
              <tr>
                <th scope="col">{key ?? W.row}</th>
                <th scope="col">{W.column}</th>
                <th scope="col">{W.before}</th>
                <th scope="col">{W.after}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ row, key: rowKey, column, before, after }) => (
                <tr key={`${row} ${column}`}>
                  <td>{key === null ? countText(row + 1) : valueText(rowKey)}</td>
                  <td>{column}</td>
                  <td className="compare-before">{valueText(before)}</td>
                  <td className="compare-after">{valueText(after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

/** The number of rows, with the keys of the first of them. */
function onlyText({ count, first }: { count: number; first: readonly unknown[] }): string {
  if (count === 0) return W.noRows;
  const keys = first.slice(0, SHOWN_KEYS).map(valueText).join(', ');
  return `${countText(count)} (${keys}${count > SHOWN_KEYS ? ', …' : ''})`;
}

const SHOWN_KEYS = 5;

/** The text of a value. A missing value and an empty string look different. */
function valueText(value: unknown): string {
  return value === null || value === undefined ? W.missing : shortValue(value);
}
