/** What the shell itself says; the page has its own words. */
export const WORDS = {
  serverGone: 'Cellar’s notebook server does not start.',
  tryAgain: 'Try again',
  quit: 'Quit',
  cancel: 'Cancel',
  open: 'Open',
  openTitle: 'Open a notebook folder',
  newTitle: 'New notebook',
  make: 'Make notebook',
  name: 'Name:',
  unsaved: 'Edits of this notebook are not saved yet. Close the window and lose them?',
  leave: 'Close and lose them',
  trust: 'Trust folder',
  trustQuestion: 'Trust this notebook folder?',
  trustMeans:
    'Its cells, packages and connections will run on this machine with everything you may do. Trust it only when you know where it comes from.',
  openLinked: 'A link asks to open this notebook folder. Open it?',
  quitWhileRunning: 'Cells are still running. Quit and stop them?',
} as const;
