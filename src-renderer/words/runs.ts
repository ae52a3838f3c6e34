/** UI texts of the runs panel, the rest time in the status bar, and automatic runs. */
export const RUNS_WORDS = {
  // Queue
  queue: 'Queue',
  queueEmpty: 'Nothing is waiting to run.',
  allCells: 'All cells',
  mode: { normal: '', rerun: 'without cache', force: 'only this cell' },
  first: (name: string): string => `Run ${name} next`,
  up: (name: string): string => `Move ${name} up`,
  down: (name: string): string => `Move ${name} down`,
  remove: (name: string): string => `Remove ${name} from the queue`,
  clear: 'Remove all',
  // Rest
  left: (time: string): string => `about ${time} left`,
  leftAtLeast: (time: string): string => `more than ${time} left`,
  leftHint: (untimed: number): string =>
    untimed === 0
      ? 'Estimated from the last run of each cell'
      : `Estimated from the last run of each cell. ${untimed === 1 ? 'One cell has' : `${untimed} cells have`} never run, so the time is longer.`,
  progress: (current: number, total: number): string => `Cell ${current} of ${total}`,
  // Notification
  ended: (failed: boolean, time: string): string =>
    failed ? `A cell failed. The run took ${time}.` : `The run is done. It took ${time}.`,
  // Profile
  profile: 'Cost',
  profileEmpty: 'Run cells to see what they cost.',
  profileSum: (spent: string, saved: string | null): string =>
    saved === null
      ? `Runs took ${spent}. The cache has saved no time yet.`
      : `Runs took ${spent}. The cache saved ${saved}.`,
  profileTeam: (saved: string): string => `The team’s results saved ${saved} of that.`,
  profileHint: 'Of the latest 50 runs of each cell',
  column: {
    name: 'Cell',
    last: 'Last run',
    total: 'All runs',
    runs: 'Runs',
    hits: 'From cache',
    saved: 'Saved',
    cpu: 'CPU',
    peak: 'Memory',
    gpu: 'GPU memory',
  },
  sortBy: (column: string): string => `Sort by ${column}`,
  // Automatic runs
  auto: 'Automatic runs',
  autoMode: { off: 'Off', lazy: 'Lazy', live: 'Live' },
  autoHint: {
    off: 'Nothing runs automatically. A run asks before it runs stale cells above it.',
    lazy: 'Nothing runs automatically. A run includes the stale cells above it without asking.',
    live: 'When you leave a cell after an edit, it runs, and so do the stale cells that depend on it.',
  },
  autoLimit: 'Longest automatic run (s)',
  autoLimitHint:
    'A cell whose last run took longer is not run automatically. Prompt cells and cells on workers are never run automatically.',
  autoLeftOut: 'Not run automatically',
  autoStatus: (mode: string): string => `Automatic runs: ${mode}`,
  autoSkipped: (count: number): string => `${count} not run automatically`,
  autoCell: 'Run this cell automatically',
  autoCellOff: 'This cell is not run automatically.',
  autoFailed: (message: string): string => `The setting was not changed: ${message}`,
} as const;
