/** UI texts of workers. */
export const WORKER_WORDS = {
  dispatching: (worker: string) => `dispatching → ${worker}`,
  queued: (position: number, worker: string) => `queued #${position} → ${worker}`,
  starting: (worker: string) => `starting → ${worker}`,
  runsOn: (worker: string) => `on ${worker}`,
  lastRun: (worker: string, transport: string | null, build: string | null) =>
    [`Last run on ${worker}`, transport, build].filter((part) => part !== null).join(' · '),
  title: 'Workers',
  here: 'This machine',
  hint: 'Cells run on this machine or on a worker: another machine, yours or in the cloud, that runs “svc worker”.',
  defaultWorker: 'Cells run on',
  add: 'Attach worker',
  attach: 'Attach',
  attachMeans:
    'Cells send their code and inputs to the worker, and their results are used here. Attach only workers you trust.',
  pickles: 'Accept pickles from this worker',
  picklesHint:
    'Loading a pickle runs the worker’s code on this machine. If off, cells that return models or other objects fail and name the value.',
  attaching: 'Attaching…',
  name: 'Name',
  nameHint: 'Use it in a cell with # @worker NAME.',
  nameTaken: 'A worker with this name already exists.',
  nameWrong: 'Use letters, digits, dots, - and _. Start with a letter or digit. At most 200 characters.',
  url: 'Address',
  urlHint: 'The worker’s URL. It ends with /v1/execute.',
  urlWrong: 'Enter an http:// or https:// address.',
  urlHasPassword:
    'Remove the user name and password: the address is saved in the notebook. Enter the token below.',
  token: 'Token',
  tokenWrong: 'Tokens must be ASCII. Check that you copied all of it.',
  tokenHint:
    'The worker’s SVC_WORKER_TOKEN. The desktop app stores it in the system keychain if possible. Otherwise it stays in memory until you quit. Optional.',
  test: (name: string) => `Test ${name}`,
  testThis: 'Test',
  testing: 'Testing…',
  works: (ms: string) => `The test cell ran (${ms}).`,
  checks: {
    address: 'Address',
    answer: 'Response',
    version: 'Protocol version',
    token: 'Token',
    slot: 'Free slot',
    cell: 'Test cell',
  },
  checkDone: 'passed',
  checkFailed: 'failed',
  checksTitle: 'Checks',
  changeTransport: (name: string) => `Change transport of ${name}`,
  save: 'Save',
  saving: 'Saving…',
  transport: 'Transport',
  transports: { direct: 'Send to the worker', signed: 'Worker downloads' },
  transportHint: {
    direct: 'Requests carry the code and the inputs to the worker.',
    signed:
      'The worker downloads code and inputs from this server by signed URLs and uploads its results here. It must be able to reach this server.',
  },
  server: 'Address of this server',
  serverHint: (origin: string) =>
    `The URL at which the worker reaches this server. Leave empty for the server’s own address, which may be reachable only from this machine (this page is at ${origin}).`,
  serverWrong: 'Enter an http:// or https:// address, or leave it empty.',
  serverHasPassword: 'Remove the user name and password: the address is saved in the notebook.',
  remove: (name: string) => `Detach ${name}`,
  refresh: 'Refresh workers',
  health: { healthy: 'healthy', unknown: 'unknown', warming: 'warming up', unavailable: 'unavailable' },
  blocked: 'not allowed here',
  undefined: 'not defined',
  attachNamed: (name: string) => `Attach ${name}`,
  undefinedName: 'Used by cells but not defined.',
  load: (active: number, most: number | null) =>
    most === null ? `${active} running` : `${active} of ${most} running`,
  cpus: (count: number) => (count === 1 ? '1 CPU' : `${count} CPUs`),
  memory: (mb: number) => `${Math.round(mb / 1024)} GB`,
  noToken: 'no token',
  tokenInMemory: 'token in memory until you quit',
  tokenInKeychain: 'token in the keychain',
  notRecalled: (why: string) => `Couldn’t send worker tokens to the server: ${why}`,
  python: (version: string) => `Python ${version}`,
  noEnvironments: (why: string | undefined, python: string | undefined) =>
    `This worker cannot build the notebook’s environment${why === undefined ? '' : `: ${why}`}. Its cells run on ${
      python === undefined ? 'the Python installed there' : `Python ${python}`
    } with the packages installed there.`,
  way: 'Connection',
  ways: { address: 'Address', relay: 'Relay', ssh: 'SSH' },
  relay: 'Relay',
  relayHint:
    'The relay’s address, https://… or wss://…. The name above must be the worker’s name on that relay.',
  relayWrong: 'Enter an https:// or wss:// address.',
  connectToken: 'Connect token',
  connectTokenHint:
    'The token this worker needs to connect to the relay. Get it from the relay’s administrator. Only the command below uses it.',
  relayTokenHint:
    'Generated for you. Without a token, anyone who can reach the relay could run code on the worker.',
  target: 'Machine',
  targetHint: 'SSH destination: a host from ~/.ssh/config, or user@host.',
  targetWrong: 'Enter a host from ~/.ssh/config, or user@host.',
  sshWhat:
    'Cellar copies the worker to the machine with your own ssh, keys and known hosts, and starts it. It stops the worker when you detach it or are away for a while. The machine needs Node 22.15 or newer, and Python for Python cells.',
  bringing: 'Installing worker…',
  commandDirect: 'On the other machine, reachable from here. It asks for the token:',
  commandRelay: 'On the machine that will run cells:',
  copyCommand: 'Copy command',
  copied: 'Copied',
  notCopied: 'Couldn’t copy. Select the text and copy it manually.',
  connectAgain: (name: string) => `Reconnect ${name}`,
  overSsh: (target: string) => `over SSH to ${target}`,
  sshGone: 'Not connected.',
  details: 'Details',
  probes: 'Last checks',
  runs: 'Running now',
  noRuns: 'No cells from this notebook.',
  runsHere: (name: string, state: string) => `${name}: ${state}`,
  log: (name: string) => `Log of ${name}`,
  noLog: 'No log output yet.',
  logElsewhere:
    'See the log on the machine where the worker was started. Only workers started over SSH show their log here.',
  version: (version: string) => `version ${version}`,
  upFor: (words: string) => `up ${words}`,
  gpuSlots: (free: number, all: number) => `${free} of ${all} GPUs free`,
} as const;

/** The commands that make a machine a worker. */
export const WORKER_COMMANDS = {
  direct: 'svc worker --host 0.0.0.0 --port 9000 --token-file -',
} as const;
