/** Words of the workbench: its header, rail, panels and status bar. */
export const WORKBENCH = {
  // Header
  search: 'Search',
  searchHint: 'Find cells, notebooks and variables',
  runStale: 'Run stale',
  runStaleHint: (count: number): string =>
    count === 0
      ? 'Every cell is up to date'
      : `Runs the ${count === 1 ? 'cell that is' : `${count} cells that are`} not up to date, in order`,
  runMenu: 'More ways to run',
  runAllItem: 'Run all cells',
  rerunAllItem: 'Run all again, without the cache',
  stopItem: 'Stop what runs',
  stopping: 'Stopping…',
  thisTab: 'This window',
  otherTab: (name: string, cell: string | null): string =>
    cell === null ? `${name} is here too` : `${name} is at ${cell}`,
  someoneElse: 'Another window',
  moreOthers: (count: number): string => `${count} more`,
  presence: 'Who else is here',
  // Rail and regions
  panels: 'Panels',
  panel: {
    outline: 'Outline',
    files: 'Files',
    environment: 'Environment',
    inspector: 'Inspector',
    dag: 'Graph',
    inside: 'Look inside',
    logs: 'Logs',
  },
  hidePanel: 'Close this panel',
  wideOn: 'Wide column',
  resize: {
    left: 'Width of the left panel',
    right: 'Width of the inspector',
    bottom: 'Height of the drawer',
  },
  region: {
    header: 'Notebook',
    left: 'Left panel',
    main: 'Cells',
    right: 'Inspector',
    bottom: 'Drawer',
    status: 'Status',
  },
  // Outline
  outlineEmpty: 'Cells and headings appear here as you add them.',
  variables: 'Variables',
  variablesEmpty: 'What cells compute appears here once they have run.',
  otherNames: (names: string): string => `Also named, not kept: ${names}`,
  allVariables: (count: number): string => `Show all ${count}`,
  fewerVariables: 'Show fewer',
  rowCached: 'cached',
  // Environment
  python: 'Python',
  packages: 'Packages',
  packagesOf: (locked: number, declared: number): string =>
    declared === 0 ? `${locked} locked` : `${locked} locked, ${declared} asked for`,
  environmentUntrusted: 'The environment is made once you trust this folder.',
  environmentState: {
    unknown: 'No environment has been made yet. It is made by itself when the notebook opens.',
    pending: 'The environment is being made. Runs wait and start by themselves.',
    ready: 'Ready. What is installed is what the lock file says.',
    fallback: 'No environment could be made: cells run with the Python found on this machine.',
    failed: 'The environment could not be made. Cells that need its packages will fail.',
  },
  lastSync: (when: string, took: string): string => `Last synced ${when}, in ${took}`,
  lastSyncAt: (when: string): string => `Last synced ${when}`,
  interpreter: 'Interpreter',
  lock: 'Lock file',
  lockMissing: 'none',
  jobNow: 'Now',
  jobLast: 'Last job',
  jobsBefore: 'Earlier',
  jobFailed: 'failed',
  jobDone: 'done',
  // Status bar
  queued: (count: number): string => `${count} queued`,
  allUpToDate: 'All up to date',
  counts: 'Cells by state',
  undecided: (
    name: string,
    { more, tooLong }: { readonly more: number; readonly tooLong: boolean },
  ): string => {
    if (more > 0) return `Not saved: ${name} and ${more} more`;
    return tooLong ? `Not saved: ${name} is too long` : `Not saved: ${name} was changed elsewhere`;
  },
  goToUndecided: 'Go to the cell, whose note says what to do',
} as const;

/**
 * Today 14:03, yesterday 09:14, 3 Mar 09:14: when something happened, as people say it. Today's are written without
 * the formatter of the browser, whose first use costs a frame, at the end of the first run.
 */
export function whenText(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  const day = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((day(new Date(nowMs)) - day(at)) / 86_400_000);
  if (days === 0) return `today ${time}`;
  if (days === 1) return `yesterday ${time}`;
  const year = at.getFullYear() === new Date(nowMs).getFullYear() ? {} : { year: 'numeric' as const };
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })} ${time}`;
}
