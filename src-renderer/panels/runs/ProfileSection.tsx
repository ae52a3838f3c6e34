/** The section of the Runs panel with the time each cell took and what the cache saved. */

import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import {
  FIRST_SORT,
  type ProfileColumn,
  type ProfileRow,
  type ProfileSort,
  profileRows,
  sortAfter,
} from '../../state/profileRows.ts';
import { RUNS_WORDS as W } from '../../words/runs.ts';
import { bytesText, durationText } from '../../words/strings.ts';

const COLUMNS: readonly ProfileColumn[] = [
  'name',
  'last',
  'total',
  'runs',
  'hits',
  'saved',
  'cpu',
  'peak',
  'gpu',
];

/** What each cell cost and what the cache saved, over its latest runs; loaded again when a run ends. */
export function ProfileSection() {
  const session = useSession();
  const isLive = useView((view) => view.link.kind === 'live' && view.model.meta !== null);
  const isRunning = useView((view) =>
    view.model.order.some((id) => view.model.cells[id]?.cell.status === 'running'),
  );
  useEffect(() => {
    if (isLive && !isRunning) session.runs.requestProfile();
  }, [session, isLive, isRunning]);
  const profile = useView((view) => view.model.profile);
  const model = useView((view) => view.model);
  const [sort, setSort] = useState<ProfileSort>(FIRST_SORT);
  const rows = profile === null ? [] : profileRows(profile, sort, (id) => cellName(model, id));
  // The GPU column is shown only if a run used a GPU.
  const hasGpu = rows.some(({ gpu }) => gpu !== null);
  const columns = COLUMNS.filter((column) => hasGpu || column !== 'gpu');
  return (
    <section className="panel-section profile" aria-label={W.profile}>
      <h3>{W.profile}</h3>
      {profile === null || rows.length === 0 ? (
        <p className="panel-quiet">{W.profileEmpty}</p>
      ) : (
        <>
          <p title={W.profileHint}>
            {W.profileSum(
              durationText(profile.total_execution_ms),
              profile.cache_savings_ms === 0 ? null : durationText(profile.cache_savings_ms),
            )}
            {profile.team_cache_hits === 0
              ? ''
              : ` ${W.profileTeam(durationText(profile.team_cache_savings_ms))}`}
          </p>
          <table className="profile-table">
            <thead>
              <tr>
                {columns.map((column) => (
                  <Head key={column} {...{ column, sort }} onSort={() => setSort(sortAfter(sort, column))} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Line key={row.cellId} row={row} name={cellName(model, row.cellId)} hasGpu={hasGpu} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

function Head(props: { column: ProfileColumn; sort: ProfileSort; onSort: () => void }) {
  const { column, sort, onSort } = props;
  const isSorted = sort.column === column;
  const order = !isSorted ? 'none' : sort.descending ? 'descending' : 'ascending';
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <th scope="col" aria-sort={order}>
      <button type="button" title={W.sortBy(W.column[column])} onClick={onSort}>
        {W.column[column]}
        {isSorted ? <Arrow aria-hidden="true" /> : null}
      </button>
    </th>
  );
}

function Line({ row, name, hasGpu }: { row: ProfileRow; name: string; hasGpu: boolean }) {
  const session = useSession();
  const time = (ms: number | null): string => (ms === null ? '' : durationText(ms));
  return (
    <tr>
      <th scope="row">
        <button type="button" className="cell-link" onClick={() => session.focus(row.cellId)}>
          {name}
        </button>
      </th>
      <td>{time(row.last)}</td>
      <td>{row.runs === 0 ? '' : time(row.total)}</td>
      <td>{row.runs}</td>
      <td>{row.hits}</td>
      <td>{row.saved === 0 ? '' : time(row.saved)}</td>
      <td>{time(row.cpu)}</td>
      <td>{row.peak === null ? '' : bytesText(row.peak)}</td>
      {hasGpu ? <td>{row.gpu === null ? '' : bytesText(row.gpu)}</td> : null}
    </tr>
  );
}
