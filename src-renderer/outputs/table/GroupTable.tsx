import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { shortValue } from '../jsonText.ts';
import type { GroupSort, GroupsAnswer } from './useGroups.ts';

/** Table of the groups that the group dialog computed; a press on a header sorts them. */
export function GroupTable(props: {
  answer: GroupsAnswer;
  sort: GroupSort;
  onSort: (sort: GroupSort) => void;
}) {
  const { answer, sort, onSort } = props;
  const hiddenCount = answer.total - answer.rows.length;
  const isNumber = answer.columns.map((_name, at) => answer.rows.some((row) => typeof row[at] === 'number'));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable to scroll by keyboard */}
      <section className="group-answer" tabIndex={0} aria-label={TABLE_WORDS.groups(countText(answer.total))}>
        <table>
          <thead>
            <tr>
              {answer.columns.map((name, at) => {
                const dir = sort?.at === at ? sort.dir : null;
                return (
                  <th
                    // biome-ignore lint/suspicious/noArrayIndexKey: two measures may be the same
                    key={`${at} ${name}`}
                    scope="col"
                    className={isNumber[at] === true ? 'num' : undefined}
                    aria-sort={dir === null ? 'none' : dir === 'asc' ? 'ascending' : 'descending'}
                  >
                    <button
                      type="button"
                      className="table-sort"
                      title={TABLE_WORDS.sortBy(name)}
                      onClick={() =>
                        onSort(dir === 'asc' ? null : { at, dir: dir === null ? 'desc' : 'asc' })
                      }
                    >
                      {name || TABLE_WORDS.index}
                      {dir === null ? '' : dir === 'asc' ? ' ↑' : ' ↓'}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {answer.rows.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name
              <tr key={place}>
                {answer.columns.map((name, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <td key={`${at} ${name}`} className={isNumber[at] === true ? 'num' : undefined}>
                    {row[at] === null ? <span className="table-null">null</span> : cellText(row[at])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="stats-note" role="status">
        {hiddenCount > 0
          ? TABLE_WORDS.groupsOf(countText(answer.rows.length), countText(answer.total))
          : TABLE_WORDS.groups(countText(answer.total))}
      </p>
    </>
  );
}

function cellText(value: unknown): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(8)));
  return value === '' ? TABLE_WORDS.emptyText : shortValue(value);
}
