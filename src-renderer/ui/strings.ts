/** Every sentence and label of the window, in one place. Plain words; an error says what to do. */
export const WORDS = {
  appName: 'Cellar',
  // Connection
  connecting: 'Connecting…',
  live: 'Connected',
  lost: 'Connection lost',
  retryIn: (seconds: number): string => (seconds <= 0 ? 'trying again…' : `trying again in ${seconds} s`),
  retryNow: 'Try now',
  sessionEnded: 'Session ended',
  reopen: 'Open it again',
  trustFolder: 'Trust this folder',
  trustElsewhere: 'Trust it in the desktop window.',
  cutShort: (names: string): string =>
    `The server ended while ${names} ran: there is no result. What was printed before is still shown; run again when you like.`,
  sessionGoneNoPath: 'This session is closed. Open the notebook’s folder again from the start page.',
  closedReason: {
    idle: 'The notebook was closed because nobody used it for a while. Nothing is lost.',
    session_limit: 'The notebook was closed to make room for another one. Nothing is lost.',
    memory: 'The notebook was closed because memory was short. Nothing is lost.',
    closed: 'The notebook was closed from another window. Nothing is lost.',
    deleted: 'The notebook was deleted.',
    shutdown: 'The server was stopped. Start it again to go on; nothing is lost.',
  },
  notSentOffline:
    'Not connected: the run was not sent. Your edits are kept and go out once the connection is back.',
  unreadableFrame: (where: string): string =>
    `The server sent something this window cannot read (${where}). Reload the window; if it stays, server and window are of different versions.`,
  unreadableAnswer: (where: string): string =>
    `The server’s answer could not be read (${where}). Reload the window.`,
  unreachable: 'The server does not answer. Check that it is running, then try again.',
  refusedStatus: (status: number): string => `The server refused (${status}).`,
  sourceTooLong: (length: number): string =>
    `This text is ${length.toLocaleString('en-US')} characters long, and a cell holds at most 1,000,000 characters. Until it is shorter it is not saved and stays in this window alone: split it, or keep the text in a file that a cell reads.`,
  // Notebook
  untitled: 'Untitled notebook',
  loading: 'Opening the notebook…',
  renameNotebook: 'Rename notebook',
  runAll: 'Run all',
  rerunAll: 'Rerun all',
  rerunAllHint: 'Run every cell again without the cache',
  stopAll: 'Stop',
  cells: 'Cells',
  emptyTitle: 'Nothing here yet',
  emptyText: 'Add a cell and write some Python. What a cell computes is kept, and never computed twice.',
  addPython: 'Python',
  addMarkdown: 'Text',
  addControls: 'Controls',
  addBelow: 'Add a cell below',
  addOther: 'Add a cell of another language',
  countCells: (count: number): string => (count === 1 ? '1 cell' : `${count} cells`),
  countRunning: (count: number): string => `${count} running`,
  countStale: (count: number): string => `${count} stale`,
  countFailed: (count: number): string => `${count} failed`,
  saved: 'Saved',
  saving: 'Saving…',
  unsaved: 'Edits kept here, not saved yet',
  backHome: 'All notebooks',
  themeAuto: 'Colours: as the system',
  themeLight: 'Colours: light',
  themeDark: 'Colours: dark',
  // Cell
  run: 'Run cell',
  stop: 'Stop',
  more: 'More',
  moveUp: 'Move up',
  moveDown: 'Move down',
  deleteCell: 'Delete cell',
  rerunCell: 'Run again without the cache',
  deleteAsk: 'Delete this cell with its file?',
  deleteYes: 'Delete',
  cancel: 'Cancel',
  cached: 'cached',
  queued: 'queued',
  waitsForEnvironment: 'waits for the environment',
  starting: 'starting',
  lastTime: (time: string): string => `${time} last time`,
  emptyCell: 'Empty cell',
  emptyMarkdown: 'Empty text. Double-click to write.',
  editMarkdown: 'Edit text',
  draftTheirs: 'Somebody else changed this cell while you were typing.',
  keepMine: 'Keep mine',
  takeTheirs: 'Take theirs',
  // Cascade
  cascadeTitle: (names: readonly string[]): string =>
    `${listText(names)} ${names.length === 1 ? 'needs' : 'need'} other cells first`,
  cascadeTotal: (time: string): string => `about ${time} in all`,
  cascadeRun: (count: number): string => `Run ${count === 1 ? 'it' : `all ${count}`}`,
  cascadeForce: (count: number): string => (count === 1 ? 'Run only this' : 'Run only these'),
  cascadeForceHint: 'Runs this cell with the results that are there; missing ones will be an error',
  cascadeReason: { stale: 'out of date', missing: 'has not run', target: 'this cell' },
  /** Of one of several that were asked for. */
  cascadeAsked: 'asked for',
  neverTimed: 'not timed yet',
  // Causes
  causeSource: 'source changed since the last run',
  causeModules: (paths: string): string => `${paths} changed since the last run`,
  causeSetup: (name: string | null): string =>
    name === null ? 'set-up cell changed' : `set-up cell ${name} changed`,
  causeEnvironment: 'environment changed',
  causeInputs: (names: string): string => `stale: ${names} changed`,
  causeFailed: (names: string): string => `stale: ${names} failed`,
  causeUnknown: 'stale: an input changed',
  causeUnkept: (names: string): string => `not kept: ${names}`,
  causeForced: 'ran without renewing its inputs',
  andMore: (count: number): string => `${count} more`,
  // Statuses, for people who do not see the mark
  stopped: 'stopped',
  notKept: 'not kept',
  status: { idle: 'not run', running: 'running', ready: 'up to date', error: 'failed', stale: 'stale' },
  // Environment
  environment: 'Environment',
  environmentPending: 'Preparing environment…',
  environmentFailed: 'Environment failed',
  environmentUnknown: 'No environment yet',
  environmentFallback: 'Python from this machine',
  environmentPath: 'No environment could be made: cells run with the Python found on this machine.',
  environmentReady: (python: string, packages: number): string =>
    packages === 0
      ? `Python ${python}`
      : `Python ${python} · ${packages} ${packages === 1 ? 'package' : 'packages'}`,
  environmentLog: 'Log of the environment',
  environmentNoLog: 'No environment job has run in this session.',
  phase: {
    uv_running: 'uv is working',
    preparing_import: 'preparing the import',
    refreshing_runtime: 'refreshing Python',
    invalidating_warm_pool: 'restarting Python processes',
    recomputing_staleness: 'checking which cells are out of date',
    starting_warm_pool: 'starting Python processes',
    completed: 'done',
    failed: 'failed',
  },
  // Outputs
  earlierLeftOut: (count: string): string => `earlier output left out (${count} characters)`,
  stdout: 'Output',
  stderr: 'Error stream',
  rowsOf: (from: string, to: string, total: string): string => `rows ${from}–${to} of ${total}`,
  rowsShape: (rows: string, columns: number): string => `${rows} rows × ${columns}`,
  noRows: 'No rows',
  noMatch: 'No row matches the search',
  search: 'Search rows',
  pageSize: 'Rows per page',
  perPage: (rows: number): string => `${rows} a page`,
  sortBy: (column: string): string => `Sort by ${column}`,
  firstPage: 'First page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  lastPage: 'Last page',
  tableUnavailable: 'Only the first rows can be shown: this result cannot be paged.',
  outputFrame: 'Result in its own frame',
  image: 'Figure',
  outputError: 'This result could not be stored',
  outputMissing: 'The result could not be read. Run the cell again.',
  jsonPart: (size: string): string => `This is a part of the value (${size} in all).`,
  loadWhole: 'Show all of it',
  loadingWhole: 'Loading…',
  showTraceback: 'Traceback',
  goToLine: (cell: string, line: number): string => `${cell}, line ${line}`,
  cancelled: 'Stopped before it finished',
  pastError: 'From the last run, before the code was changed:',
  olderError: 'From the run before the one that was stopped:',
  olderPastError: 'From an earlier run, before the code was changed:',
  // Pages
  tryAgain: 'Try again',
  opening: 'Opening…',
  notFound: 'There is no such page.',
  openFailed: 'The notebook could not be opened',
  dismiss: 'Dismiss',
} as const;

/** 4 ms, 2.1 s, 3:05, 1:02:09: short, and never more exact than it is. */
export function durationText(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return clockText(ms);
}

/** 0:42, 3:05, 1:02:09: time that still runs. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = `${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** 512 bytes, 8 kB, 1.2 MB: decimal, as files are counted. */
export function bytesText(bytes: number): string {
  if (bytes === 1) return '1 byte';
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

let decimals: Intl.NumberFormat | null = null;

/** 1,234,567; at most three decimals. Whole numbers without `Intl`, whose first use would hold the first paint up. */
export function countText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
  decimals ??= new Intl.NumberFormat('en-US');
  return decimals.format(value);
}

/** a; a and b; a, b and 2 more. */
export function listText(names: readonly string[]): string {
  const [first, second] = names;
  if (first === undefined) return '';
  if (second === undefined) return first;
  if (names.length === 2) return `${first} and ${second}`;
  return `${first}, ${second} and ${WORDS.andMore(names.length - 2)}`;
}
