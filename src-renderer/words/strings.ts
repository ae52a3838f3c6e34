/** UI texts that several parts of the window share. An error says what happened and what to do. */
export const WORDS = {
  appName: 'Cellar',
  // Connection
  connecting: 'Connecting…',
  live: 'Connected',
  lost: 'Connection lost',
  retryIn: (seconds: number): string => (seconds <= 0 ? 'reconnecting…' : `reconnecting in ${seconds} s`),
  retryNow: 'Reconnect now',
  sessionEnded: 'Session ended',
  reopen: 'Reopen',
  trustFolder: 'Trust this folder',
  trustElsewhere: 'You can trust it in the desktop window.',
  cutShort: (names: string): string =>
    `The server stopped while ${names} was running, so there is no result. Output printed before that is still shown. Run the cell again.`,
  sessionGoneNoPath: 'This session is closed. Reopen the notebook from the start page.',
  closedReason: {
    idle: 'The notebook was closed because it was idle. Nothing is lost.',
    session_limit: 'The notebook was closed because too many notebooks were open. Nothing is lost.',
    memory: 'The notebook was closed because the server was low on memory. Nothing is lost.',
    closed: 'The notebook was closed in another window. Nothing is lost.',
    deleted: 'The notebook was deleted.',
    shutdown: 'The server was stopped. Start it again to continue. Nothing is lost.',
  },
  notSentOffline:
    'Not connected, so nothing was run. Your edits are saved as soon as the connection is back.',
  unreadableFrame: (where: string): string =>
    `The server sent a message this window cannot read (${where}). Reload the window. If it happens again, the server and the window have different versions.`,
  unreadableAnswer: (where: string): string =>
    `The server’s answer could not be read (${where}). Reload the window.`,
  unreachable: 'The server is not responding. Check that it is running, then try again.',
  refusedStatus: (status: number): string => `The server refused the request (status ${status}).`,
  sourceTooLong: (length: number): string =>
    `This text has ${length.toLocaleString('en-US')} characters, and a cell can have at most 1,000,000 characters. It is not saved and exists only in this window. Split the cell, or move the text to a file that a cell reads.`,
  // Notebook
  loading: 'Opening notebook…',
  renameNotebook: 'Rename notebook',
  runAll: 'Run all',
  stopAll: 'Stop',
  cells: 'Cells',
  addPython: 'Python',
  addMarkdown: 'Text',
  addControls: 'Controls',
  addBelow: 'Add a cell below',
  addOther: 'Add a cell in another language',
  countCells: (count: number): string => (count === 1 ? '1 cell' : `${count} cells`),
  countRunning: (count: number): string => `${count} running`,
  countStale: (count: number): string => `${count} stale`,
  countFailed: (count: number): string => `${count} failed`,
  saved: 'Saved',
  saving: 'Saving…',
  unsaved: 'Unsaved edits are kept in this window',
  backHome: 'All notebooks',
  themeAuto: 'Theme: system',
  themeLight: 'Theme: light',
  themeDark: 'Theme: dark',
  // Cell
  run: 'Run cell',
  stop: 'Stop',
  rerunCell: 'Rerun without cache',
  deleteAsk: 'Delete this cell and its file?',
  deleteYes: 'Delete',
  cancel: 'Cancel',
  cached: 'cached',
  queued: 'queued',
  waitsForEnvironment: 'waiting for the environment',
  starting: 'starting',
  lastTime: (time: string): string => `${time} last time`,
  emptyCell: 'Empty cell',
  emptyMarkdown: 'Empty text cell. Double-click to edit.',
  draftTheirs: 'This cell was changed elsewhere while you were typing.',
  keepMine: 'Keep mine',
  takeTheirs: 'Take theirs',
  // Cascade
  cascadeTitle: (names: readonly string[]): string =>
    `${listText(names)} ${names.length === 1 ? 'needs' : 'need'} other cells first`,
  cascadeTotal: (time: string): string => `about ${time} in total`,
  cascadeRun: (count: number): string => `Run ${count === 1 ? 'it' : `all ${count}`}`,
  cascadeRunSome: (count: number): string => (count === 1 ? 'Run this one' : `Run these ${count}`),
  cascadeLeftOut: 'Cells that read from a cell you leave out use its stored result.',
  cascadeLeftOutMissing:
    'Cells that read from a cell you leave out use its stored result. One of the cells left out has none yet, so cells that need it fail.',
  cascadeForce: (count: number): string => (count === 1 ? 'Run only this' : 'Run only these'),
  cascadeAlways: 'Do not ask again in this notebook',
  cascadeForceHint: 'Run with the stored results. It fails if one is missing.',
  cascadeReason: { stale: 'out of date', missing: 'has not run', target: 'this cell' },
  /** The label of one of several requested cells. */
  cascadeAsked: 'requested',
  neverTimed: 'not timed yet',
  // Causes
  causeSource: 'source changed since the last run',
  causeModules: (paths: string): string => `${paths} changed since the last run`,
  causeSetup: (name: string | null): string =>
    name === null ? 'setup cell changed' : `setup cell ${name} changed`,
  causeData: (names: string, snapshot: string | null): string =>
    snapshot === null ? `data of ${names} changed` : `${names} has a new snapshot, ${snapshot}`,
  causeEnvironment: 'environment changed',
  causeInputs: (names: string): string => `stale: ${names} changed`,
  causeFailed: (names: string): string => `stale: ${names} failed`,
  causeUnknown: 'stale: an input changed',
  causeUnkept: (names: string): string => `not stored: ${names}`,
  causeForced: 'ran without updating its inputs',
  andMore: (count: number): string => `${count} more`,
  // Statuses, for screen readers
  stopped: 'stopped',
  notKept: 'not stored',
  status: { idle: 'not run', running: 'running', ready: 'up to date', error: 'failed', stale: 'stale' },
  // Environment
  environment: 'Environment',
  environmentPending: 'Preparing environment…',
  environmentFailed: 'Environment failed',
  environmentUnknown: 'No environment yet',
  environmentFallback: 'System Python',
  environmentPath: 'Couldn’t create an environment. Cells run with the system Python.',
  environmentReady: (python: string, packages: number): string =>
    packages === 0
      ? `Python ${python}`
      : `Python ${python} · ${packages} ${packages === 1 ? 'package' : 'packages'}`,
  environmentNoLog: 'No environment job has run in this session yet.',
  phase: {
    uv_running: 'running uv',
    preparing_import: 'preparing import',
    refreshing_runtime: 'refreshing Python',
    invalidating_warm_pool: 'restarting Python processes',
    recomputing_staleness: 'checking for stale cells',
    starting_warm_pool: 'starting Python processes',
    completed: 'done',
    failed: 'failed',
  },
  // Outputs
  stdout: 'Output',
  stderr: 'Error stream',
  firstPage: 'First page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  lastPage: 'Last page',
  outputFrame: 'Result in a sandboxed frame',
  image: 'Figure',
  outputError: 'Couldn’t store this result',
  outputMissing: 'Couldn’t read the result. Run the cell again.',
  jsonPart: (size: string): string => `This is only part of the value (${size} in total).`,
  loadWhole: 'Show all',
  loadingWhole: 'Loading…',
  goToLine: (cell: string, line: number): string => `${cell}, line ${line}`,
  cancelled: 'Stopped before it finished',
  pastError: 'From the last run, before the code changed:',
  olderError: 'From the run before the stopped one:',
  olderPastError: 'From an earlier run, before the code changed:',
  // Pages
  tryAgain: 'Try again',
  notFound: 'Page not found.',
  dismiss: 'Dismiss',
} as const;

/** 4 ms, 2.1 s, 3:05, 1:02:09: a duration with few digits. */
export function durationText(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return clockText(ms);
}

/** 0:42, 3:05, 1:02:09: a time that is still running, or longer than a minute. */
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

/**
 * 1,234,567; at most three decimals. Whole numbers are written without `Intl`, whose first use would delay the first
 * paint.
 */
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
