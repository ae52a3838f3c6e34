/** UI texts of widget cells and of the app view. */
export const WIDGET_WORDS = {
  controls: (name: string): string => `Controls of ${name}`,
  edit: 'Edit declarations',
  live: 'Live',
  liveHint: 'Run the cells that read a control whenever it changes',
  nothingChosen: 'Nothing selected',
  app: {
    page: 'App view',
    edit: 'Edit notebook',
    editHint: 'Back to the notebook with its code',
    empty: 'Nothing to show yet',
    emptyText: 'The app view shows controls, text and cell outputs. Run the notebook first.',
    loading: 'Opening notebook…',
    running: (name: string): string => `${name} is running`,
    failed: 'Couldn’t create this output:',
    lost: 'Connection lost. The content may be out of date.',
    gone: 'This notebook is closed.',
  },
} as const;
