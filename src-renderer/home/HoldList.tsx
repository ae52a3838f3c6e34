import type { ArtifactHold } from '../../src-shared/wire/routes/artifactCatalog.ts';
import { agoText } from '../ui/ago.ts';
import { ARTIFACT_WORDS } from '../words/artifacts.ts';

/** Lists the clients that keep an artifact version from being deleted, each with the time and the reason. */
export function HoldList({ holds, now }: { readonly holds: readonly ArtifactHold[]; readonly now: number }) {
  return (
    <section aria-label={ARTIFACT_WORDS.holds}>
      <h3>{ARTIFACT_WORDS.holds}</h3>
      {holds.length === 0 ? <p>{ARTIFACT_WORDS.noHolds}</p> : null}
      <ul>
        {holds.map(({ kind, what, by, at }) => (
          <li key={`${kind} ${what}`}>
            {ARTIFACT_WORDS.holdKinds[kind]}
            {what === null ? null : (
              <>
                {' '}
                <bdi>{what}</bdi>
              </>
            )}
            <small>{ARTIFACT_WORDS.holdBy(by, at === null ? null : agoText(at * 1000, now))}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
