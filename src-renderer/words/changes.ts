/** UI texts of the list of changes by agents, and of rewinding the notebook. */
export const CHANGES_WORDS = {
  tabs: 'Assistant',
  conversation: 'Conversation',
  changes: 'Changes',
  command: 'Show changes by the assistant and agents',
  noneTitle: 'No changes yet',
  noneText: 'Changes by the assistant and agents are listed here. You can accept or revert each one.',
  assistant: 'Assistant',
  agent: (name: string): string => (name === '' ? 'An agent' : name),
  count: (count: number): string => (count === 1 ? '1 change' : `${count} changes`),
  checkpoint: (by: string, count: number): string =>
    `${by}: ${count === 1 ? '1 change' : `${count} changes`}`,
  open: (count: number): string => `${count} to review`,
  kind: {
    added: 'added',
    deleted: 'deleted',
    edited: 'changed',
    moved: 'moved',
    other: 'setting',
  },
  moved: (names: string): string => `Moved: ${names}`,
  settings: {
    name: 'Name of the notebook',
    mounts: 'Mounts',
    connection: (name: string): string => `Connection ${name}`,
    variant: (group: string, before: string, after: string): string =>
      `Variant of ${group}: ${before} → ${after}`,
  },
  goneCell: 'Deleted cell',
  state: {
    reverted: 'reverted',
    accepted: 'accepted',
    changed: 'Changed since, so it cannot be reverted here. The history of the cell has the earlier text.',
  },
  diff: (name: string): string => `Changes to ${name}`,
  emptyCell: '(empty)',
  accept: 'Accept',
  revert: 'Revert',
  acceptRow: (name: string): string => `Accept the change to ${name}`,
  revertRow: (name: string): string => `Revert the change to ${name}`,
  acceptAll: 'Accept all',
  revertAll: 'Revert all',
  go: (name: string): string => `Go to ${name}`,
  reverted: (count: number): string => (count === 1 ? 'Change reverted' : `${count} changes reverted`),
  left: (count: number): string =>
    count === 1
      ? '1 change was not reverted because its cell has changed since.'
      : `${count} changes were not reverted because their cells have changed since.`,
  follow: 'Follow the agent',
  followCommand: 'Follow the agent (on or off)',
  followHint: 'Scrolls to the cell that an agent changes. Scrolling yourself turns it off.',
  // Rewinding
  rewind: 'Rewind to before this message',
  rewindHere: 'Rewind to before this',
  rewindTitle: 'Rewind the notebook?',
  rewindText:
    'Restores the cells and their text as they were then. Packages, results and files do not change. You can undo this.',
  rewindOwn: 'Your later changes that will be reverted',
  rewindAgents: 'Changes by agents that will be reverted',
  rewindCells: 'What changes',
  rewindLeft: 'Not reverted, because it was changed elsewhere in the meantime',
  rewindNothing: 'The notebook has not changed since then.',
  rewindGone:
    'The notebook cannot be rewound to this message because an earlier action has been undone or changed since.',
  rewindConfirm: 'Rewind',
  cancel: 'Cancel',
  rewound: 'Notebook rewound',
  becomes: {
    added: (name: string): string => `${name} is restored`,
    deleted: (name: string): string => `${name} is removed`,
    edited: (name: string): string => `${name} returns to its earlier text`,
    order: 'The order of cells',
    other: 'A setting of the notebook',
  },
} as const;
