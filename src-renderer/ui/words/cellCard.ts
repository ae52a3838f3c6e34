/** Words of what a cell's card says of its run, of outside changes and of others at it. */
export const CARD_WORDS = {
  stopping: {
    interrupting: 'interrupting…',
    terminating: 'terminating…',
    killing: 'killing…',
  },
  /** What the button that stops a run does next. */
  stopNow: {
    interrupting: 'Stop now, without waiting for it to tidy up',
    terminating: 'Kill it now',
    killing: 'It is being killed',
  },
  /** Beside the state, as long as asking again does something. */
  stopHint: {
    interrupting: 'press Stop again to end it now',
    terminating: 'press Stop again to kill it',
    killing: '',
  },
  /** Of the newest run. */
  stopped: (time: string): string => (time === '' ? 'stopped' : `stopped after ${time}`),
  stoppedHint: 'The last run was stopped before it had finished',
  queuedAt: (place: number): string => (place <= 1 ? 'queued' : `queued · number ${place}`),
  rewritten: 'changed on disk',
  rewrittenHint: 'Another program changed the file of this cell; this is its text',
  backToSaved: 'Back to the saved text',
  notRun: 'Not run: the text in this cell is not the saved one. Choose which text stays, then run again.',
  notRunTooLong: 'Not run: the text in this cell is not the saved one.',
  seeBoth: 'See both',
  hideBoth: 'Hide both',
  mergeByHand: 'Merge by hand',
  saveMerged: 'Save the merged text',
  markersLeft:
    'Both texts are in the cell, between marker lines. Keep what you want and take the three kinds of marker lines out; nothing is saved before.',
  markersGone: 'The markers are out. Save the text as it is in the cell, or take theirs.',
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
  goThere: 'Go there',
  shares: (names: readonly string[], more: number): string =>
    `shared code: ${names.join(', ')}${more > 0 ? ` +${more}` : ''}`,
  sharesHint: 'All code of this cell stands for itself: any cell below may use it',
  isHere: (name: string): string => `${name} is at this cell`,
} as const;
