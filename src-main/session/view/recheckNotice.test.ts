import { describe, expect, it } from 'vitest';
import type { SessionState } from '../state/state.ts';
import { recheckNotice } from './recheckNotice.ts';

/** A notebook with cells of these names; those with a `!` have a result that lost its key. */
function notebook(...names: readonly string[]): Pick<SessionState, 'cells'> {
  const cells = names.map((name) => {
    const provenanceHash = name.endsWith('!') ? 'recheck:p' : 'p';
    const analysis = { annotations: { name: name.replace('!', '') }, defines: [] };
    return [name, { id: name, source: '', analysis, artifacts: { x: [{ provenanceHash }], y: [] } }];
  });
  return { cells: new Map(cells as never) }; // the fields that the notice reads
}

describe('[SO-310] results of an older version', () => {
  it.each<[string, readonly string[], string | null]>([
    ['none', ['a', 'b'], null],
    ['one', ['a', 'load!'], '“load”.'],
    ['three', ['a!', 'b!', 'c!'], '“a”, “b”, “c”.'],
    ['more', ['a!', 'b!', 'c!', 'd!', 'e!'], '“a”, “b”, “c” and 2 more.'],
  ])('%s', (_what, names, which) => {
    const message = recheckNotice(notebook(...names));
    if (which === null) expect(message).toBeNull();
    else expect(message).toContain(`These cells may show such a result: ${which} Run them once. Until then`);
  });
});
