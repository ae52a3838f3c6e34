import type { KeyboardEvent } from 'react';
import type { CatalogEntry } from '../../src-shared/wire/routes/artifactCatalog.ts';
import { agoText } from '../ui/ago.ts';
import { Chip } from '../ui/Chip.tsx';
import { useNow } from '../ui/useNow.ts';
import { ARTIFACT_WORDS } from '../words/artifacts.ts';
import { bytesText } from '../words/strings.ts';

/**
 * Table of artifact versions on the Artifacts page, one per row. Arrow keys, Home and End go from row to row; Enter
 * shows the details.
 */
export function ArtifactTable(props: {
  readonly entries: readonly CatalogEntry[];
  readonly selected: string | null;
  readonly onSelect: (uri: string) => void;
}) {
  const { entries, selected, onSelect } = props;
  const now = useNow(true, 60_000);
  return (
    <table onKeyDown={moveInTable}>
      <thead>
        <tr>
          <th scope="col">{ARTIFACT_WORDS.columns.name}</th>
          <th scope="col">{ARTIFACT_WORDS.columns.kind}</th>
          <th scope="col" className="artifact-size">
            {ARTIFACT_WORDS.columns.size}
          </th>
          <th scope="col">{ARTIFACT_WORDS.columns.created}</th>
          <th scope="col">{ARTIFACT_WORDS.columns.kept}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.artifact_uri} data-selected={entry.artifact_uri === selected}>
            <th scope="row">
              <button type="button" className="artifact-open" onClick={() => onSelect(entry.artifact_uri)}>
                {entry.names[0] ?? entry.artifact_id}
                <small>{`${entry.names.length === 0 ? '' : entry.artifact_id}@v=${entry.version}`}</small>
              </button>
            </th>
            <td>{entry.content_type}</td>
            <td className="artifact-size">
              {entry.byte_size === null ? ARTIFACT_WORDS.none : bytesText(entry.byte_size)}
            </td>
            <td>
              <time dateTime={new Date(entry.created_at * 1000).toISOString()}>
                {agoText(entry.created_at * 1000, now)}
              </time>
            </td>
            <td>
              <span className="artifact-reasons">
                {entry.kept_because.length === 0
                  ? ARTIFACT_WORDS.none
                  : entry.kept_because.map((reason) => (
                      <Chip key={reason}>{ARTIFACT_WORDS.reasons[reason]}</Chip>
                    ))}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function moveInTable(event: KeyboardEvent<HTMLTableElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('.artifact-open')];
  const at = event.target instanceof HTMLButtonElement ? buttons.indexOf(event.target) : -1;
  if (at === -1) return;
  const to = {
    ArrowDown: buttons[at + 1],
    ArrowUp: buttons[at - 1],
    Home: buttons[0],
    End: buttons.at(-1),
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
