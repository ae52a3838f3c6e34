/** UI texts of a cell's card: its run, changes by other programs, and who else is at it. */
export const CARD_WORDS = {
  stopping: {
    interrupting: 'interrupting…',
    terminating: 'terminating…',
    killing: 'killing…',
  },
  /** What the button that stops a run does next. */
  stopNow: {
    interrupting: 'Stop now without waiting for cleanup',
    terminating: 'Kill now',
    killing: 'Killing',
  },
  /** The hint beside the state, while another press of Stop has an effect. */
  stopHint: {
    interrupting: 'press Stop again to stop immediately',
    terminating: 'press Stop again to kill it',
    killing: '',
  },
  /** The label of a cell whose newest run was stopped. */
  stopped: (time: string): string => (time === '' ? 'stopped' : `stopped after ${time}`),
  stoppedHint: 'The last run was stopped before it finished',
  queuedAt: (place: number): string => (place <= 1 ? 'queued' : `queued · number ${place}`),
  rewritten: 'changed on disk',
  team: (who: string | null, when: string): string =>
    who === null ? `from the team’s cache, ${when}` : `from the team’s cache: ${who}, ${when}`,
  teamHint: (who: string | null, saved: string): string =>
    `${who ?? 'Another server'} ran this cell with the same inputs, code and packages. Its run took ${saved}.`,
  rewrittenHint: 'Another program changed this cell’s file. The cell shows the new text.',
  backToSaved: 'Revert to saved text',
  notRun: 'Not run: the text in this cell is not saved. Choose which text to keep, then run again.',
  notRunTooLong: 'Not run: the text in this cell is not saved.',
  seeBoth: 'Compare',
  hideBoth: 'Hide comparison',
  mergeByHand: 'Merge manually',
  saveMerged: 'Save merged text',
  markersLeft:
    'Both texts are in the cell, separated by conflict markers. Keep what you want and delete all marker lines. Nothing is saved until then.',
  markersGone: 'All conflict markers are gone. Save the text in the cell, or take theirs.',
  diffLabel: 'Both texts: − is theirs, + is yours',
  outside: (names: string, count: number): string =>
    `${names} ${count === 1 ? 'was' : 'were'} changed on disk by another program.`,
  outsideCells: (added: number, removed: number): string =>
    [
      added > 0 ? `${added} ${added === 1 ? 'cell' : 'cells'} added` : '',
      removed > 0 ? `${removed} ${removed === 1 ? 'cell' : 'cells'} removed` : '',
    ]
      .filter((part) => part !== '')
      .join(' and ')
      .concat(' by another program.'),
  goThere: 'Go to cell',
  shares: (names: readonly string[], more: number): string =>
    `shared code: ${names.join(', ')}${more > 0 ? ` +${more}` : ''}`,
  sharesHint: 'Self-contained code: any cell below can use it',
  isHere: (name: string): string => `${name} is at this cell`,
} as const;
