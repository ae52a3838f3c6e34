/** UI texts of the workbench: its header, rail, panels and status bar. */
export const WORKBENCH = {
  // Header
  search: 'Search',
  searchHint: 'Find cells, notebooks and variables',
  runStale: 'Run stale',
  runStaleHint: (count: number): string =>
    count === 0
      ? 'Every cell is up to date'
      : `Run the ${count === 1 ? 'cell that is' : `${count} cells that are`} not up to date, in order`,
  runMenu: 'More ways to run',
  rerunAllItem: 'Rerun all without cache',
  stopItem: 'Stop all',
  otherTab: (name: string, cell: string | null): string =>
    cell === null ? `${name} is here too` : `${name} is at ${cell}`,
  someoneElse: 'Another window',
  moreOthers: (count: number): string => `${count} more`,
  presence: 'Who else is here',
  // Rail and regions
  panels: 'Panels',
  panel: {
    outline: 'Outline',
    data: 'Data',
    files: 'Files',
    environment: 'Environment',
    workers: 'Workers',
    history: 'History',
    inspector: 'Inspector',
    assistant: 'Assistant',
    dag: 'Graph',
    runs: 'Runs',
    cellConsole: 'Look inside',
    terminal: 'Terminal',
    logs: 'Logs',
  },
  hidePanel: 'Close this panel',
  wideOn: 'Wide column',
  resize: {
    left: 'Width of the left panel',
    right: 'Width of the right panel',
    bottom: 'Height of the drawer',
  },
  region: {
    main: 'Cells',
    bottom: 'Drawer',
  },
  // Outline
  outlineEmpty: 'Cells and headings appear here as you add them.',
  variables: 'Variables',
  variablesEmpty: 'Variables appear here after cells have run.',
  variableType: {
    table: 'table',
    module: 'module',
    text: 'text',
    number: 'number',
    boolean: 'boolean',
    list: 'list',
    dict: 'dict',
    none: 'None',
    value: 'value',
    object: 'object',
  },
  findVariable: 'Find a variable by name, type or shape',
  noVariable: 'No variable matches.',
  showVariable: (name: string): string => `Show ${name}`,
  variableFrom: (cell: string): string => `defined by ${cell}`,
  variableLoading: 'Loading the table…',
  variableNoPreview: 'There is no preview of this value.',
  otherNames: (names: string): string => `Also defined, not stored: ${names}`,
  allVariables: (count: number): string => `Show all ${count}`,
  fewerVariables: 'Show fewer',
  rowCached: 'cached',
  // Environment
  python: 'Python',
  packages: 'Packages',
  packagesOf: (locked: number, declared: number): string =>
    declared === 0 ? `${locked} locked` : `${locked} locked, ${declared} required`,
  environmentUntrusted: 'Trust this folder to create the environment.',
  environmentState: {
    unknown: 'No environment yet. It is created when the notebook opens.',
    pending: 'Creating the environment. Queued runs start when it is ready.',
    ready: 'Ready. The installed packages match the lock file.',
    fallback: 'Couldn’t create an environment. Cells run with the system Python.',
    failed: 'Couldn’t create the environment. Cells that need its packages will fail.',
  },
  lastSync: (when: string, took: string): string => `Last synced ${when}, in ${took}`,
  lastSyncAt: (when: string): string => `Last synced ${when}`,
  interpreter: 'Interpreter',
  copyInterpreter: 'Copy the path of the interpreter',
  interpreterCopied: 'Copied',
  lock: 'Lock file',
  lockMissing: 'none',
  jobNow: 'Now',
  jobLast: 'Last job',
  jobsBefore: 'Earlier',
  jobFailed: 'failed',
  jobDone: 'done',
  // Status bar
  queued: (count: number): string => `${count} queued`,
  counts: 'Cells by status',
  undecided: (
    name: string,
    { more, tooLong }: { readonly more: number; readonly tooLong: boolean },
  ): string => {
    if (more > 0) return `Not saved: ${name} and ${more} more`;
    return tooLong ? `Not saved: ${name} is too long` : `Not saved: ${name} was changed elsewhere`;
  },
  goToUndecided: 'Go to the cell to resolve this',
} as const;

/**
 * Today 14:03, yesterday 09:14, 3 Mar 09:14: a time as people write it. Times of today are written
 * without `Intl`: its first use, at the end of the first run, would delay a frame.
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
