/** The notice about damaged files below `.svc` that the user sees. */

import { ownName } from '../../notebook/folder/ownPlaces.ts';

/** A file below `.svc` whose damage a user notices. */
export type DamagedRecord = 'runtime' | 'settings';

const LOST: Readonly<Record<DamagedRecord, string>> = {
  runtime: 'cells do not show their earlier runs; their results are kept',
  settings: 'the settings of this notebook on this machine have their defaults',
};

/** What the damage means, and where the files are; null without damage. `trusted`: the files were renamed. */
export function damagedNotice(damaged: readonly DamagedRecord[], trusted: boolean): string | null {
  if (damaged.length === 0) return null;
  return damaged
    .map((name) => {
      const file = ownName(name);
      const place = trusted
        ? `It was renamed to ${ownName(name).split('/').at(-1)}.bad.`
        : 'It was left as it is.';
      return `${file} is damaged, so ${LOST[name]}. ${place}`;
    })
    .join(' ');
}
