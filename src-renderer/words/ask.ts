/** UI texts of the question box at a cell: the answer changes the text of the cell. */
export const ASK_WORDS = {
  command: 'Ask the assistant about this cell',
  box: (name: string): string => `Ask about ${name}`,
  field: 'What should change?',
  placeholder: 'Describe the change to this cell',
  placeholderEmpty: 'Describe the cell to write',
  placeholderAgain: 'Ask for another version',
  send: 'Ask',
  stop: 'Stop',
  close: 'Close',
  keys: (mod: string): string => `Enter sends, ${mod} Enter accepts the changes, Escape discards them.`,
  asking: 'Waiting for the model…',
  arriving: 'Receiving the answer…',
  offline: 'Not connected. You can ask once the connection is back.',
  saving: 'Saving the cell first…',
  changes: 'Proposed changes',
  arrivingChanges: 'Incoming changes',
  count: (count: number): string => (count === 1 ? '1 change' : `${count} changes`),
  ready: (count: number, mod: string): string =>
    `The answer has ${count === 1 ? '1 change' : `${count} changes`}. ${mod} Enter accepts, Escape discards. Tab moves to the changes.`,
  hunk: (at: number, count: number, removed: number, added: number): string =>
    `Change ${at} of ${count}: ${removed} ${removed === 1 ? 'line' : 'lines'} removed, ${added} added`,
  accept: 'Accept',
  reject: 'Reject',
  acceptAll: 'Accept all',
  rejectAll: 'Reject all',
  acceptRest: 'Accept the rest',
  rejectRest: 'Reject the rest',
  acceptOne: (at: number): string => `Accept change ${at}`,
  rejectOne: (at: number): string => `Reject change ${at}`,
  accepted: 'accepted',
  rejected: 'rejected',
  same: 'The answer does not change this cell.',
  none: 'The answer has no code for this cell.',
  cut: 'The answer ended before its code was complete, so it cannot be accepted. Ask for a smaller change, or raise the response limit in the AI settings.',
  overlaps:
    'You have edited the same lines since you asked. Accepting a change replaces your edits. Undo restores them.',
  hidden: 'Contains the placeholder of a hidden secret, so it cannot be accepted.',
  done: 'Changes accepted',
  noProvider: 'No AI model is set, so nothing is sent.',
  setUp: 'Set up the assistant',
  refused: 'First choose which text of this cell to keep: yours or theirs.',
  tooLong: 'The question is too long.',
  message: (of: {
    readonly name: string;
    readonly language: string;
    readonly isEmpty: boolean;
    readonly question: string;
  }): string =>
    `${of.isEmpty ? `Write the ${of.language} cell ${of.name}, which is empty` : `Change the ${of.language} cell ${of.name}`}. Answer with the complete new text of this one cell in a single \`\`\`${of.language} block, with a longer fence if the text contains one. Keep lines that need no change exactly as they are. Explain in at most two sentences, after the block.\n\n${of.question}`,
} as const;
