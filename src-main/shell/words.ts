/** What the shell itself says; the page has its own words. */
export const WORDS = {
  serverGone: 'The notebook server does not start.',
  tryAgain: 'Try again',
  quit: 'Quit',
  cancel: 'Cancel',
  open: 'Open',
  openTitle: 'Open a notebook folder',
  newTitle: 'New notebook',
  make: 'Create notebook',
  name: 'Name:',
  unsaved: 'This notebook has unsaved changes. Close the window and discard them?',
  leave: 'Discard changes',
  trust: 'Trust folder',
  trustQuestion: 'Trust this notebook folder?',
  trustMeans:
    'Its cells, packages and connections will run on this machine with your permissions. Trust it only if you know where it comes from.',
  openLinked: 'A link wants to open this notebook folder. Open it?',
  quitWhileRunning: 'Cells are still running. Quit and stop them?',
} as const;
