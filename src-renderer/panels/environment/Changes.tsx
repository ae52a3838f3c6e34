/**
 * Lists the package changes between two lock files: added, removed and updated packages, and the size of the downloads.
 */

import type { PackagePreview } from '../../live/packages.ts';
import { PACKAGE_WORDS } from '../../words/packages.ts';

type Change = PackagePreview['changes'][number];

export function Changes({
  changes,
  past = false,
}: {
  changes: readonly Change[];
  /** Whether the changes have already been made. */
  past?: boolean;
}) {
  if (changes.length === 0) return <p className="panel-quiet">{PACKAGE_WORDS.nothing}</p>;
  const bytes = changes.reduce((sum, change) => sum + (change.bytes ?? 0), 0);
  return (
    <>
      <ul className="plain-list package-changes" aria-label={PACKAGE_WORDS.changes}>
        {changes.map((change) => (
          <li key={change.name} data-change={change.name}>
            <code>{change.name}</code>
            <span className={change.to === null ? 'tone-error' : 'tone-quiet'}>{wordsOf(change)}</span>
          </li>
        ))}
      </ul>
      {bytes === 0 || past ? null : <p className="panel-quiet">{PACKAGE_WORDS.fetch(bytes)}</p>}
      {past ? null : <p className="panel-quiet">{PACKAGE_WORDS.stays}</p>}
    </>
  );
}

function wordsOf({ from, to }: Change): string {
  if (from === null) return PACKAGE_WORDS.comes(to ?? '');
  return to === null ? PACKAGE_WORDS.goes(from) : PACKAGE_WORDS.moves(from, to);
}
