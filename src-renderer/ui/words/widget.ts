/** Words of widget cells and of the app view. */
export const WIDGET_WORDS = {
  controls: (name: string): string => `Controls of ${name}`,
  edit: 'Edit the declarations',
  live: 'Live',
  liveHint: 'Cells that read a control run at every move',
  none: 'This cell declares no controls yet. Write one a line: alpha = slider(0, 1)',
  nothingChosen: 'Nothing chosen',
  app: {
    page: 'App view',
    edit: 'Edit',
    editHint: 'Back to the notebook with its code',
    empty: 'There is nothing to show yet',
    emptyText: 'The app view shows controls, text and what cells display. Run the notebook first.',
    loading: 'Opening the notebook…',
    running: (name: string): string => `${name} is running`,
    failed: 'This part could not be made:',
    lost: 'The connection is lost; what is shown may be old.',
    gone: 'This notebook is closed.',
  },
} as const;
