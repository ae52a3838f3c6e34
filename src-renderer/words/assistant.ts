/** UI texts of the assistant's panel, of the steps of its jobs and of its previews. */

import type { AgentPreview } from '../../src-shared/wire/assistant.ts';
import type { Step } from '../state/assistant/turns.ts';

/** UI texts of the assistant's panel. */
export const ASSISTANT_WORDS = {
  conversation: 'Conversation',
  you: 'You',
  assistant: 'Assistant',
  modes: 'How the assistant works',
  mode: { ask: 'Ask', agent: 'Agent' },
  modeHint: {
    ask: 'Answers questions. Changes nothing.',
    agent: 'Works on the notebook with tools. Asks before every change and run.',
  },
  message: 'Message',
  suggestionsPaused: 'AI suggestions paused',
  placeholder: { ask: 'Ask about this notebook', agent: 'Describe what to do in this notebook' },
  keysHint: 'Enter sends, Shift+Enter starts a new line.',
  send: 'Send',
  stop: 'Stop',
  stopping: 'Stopping…',
  newConversation: 'New conversation',
  tooLong: (over: number): string => `The message is ${over.toLocaleString('en-US')} characters too long.`,
  offline: 'Not connected. Messages can be sent once the connection is back.',
  about: (name: string): string => `About ${name}`,
  notAbout: (name: string): string => `Remove the reference to ${name}`,
  editing: 'Sending replaces this message and everything after it.',
  cancelEdit: 'Cancel edit',
  // A turn
  thinking: 'Waiting for the model…',
  starting: 'Starting…',
  answerReady: 'The answer is complete.',
  regenerate: 'Regenerate',
  runAgain: 'Run again',
  edit: 'Edit message',
  copyAnswer: 'Copy answer',
  used: (model: string, tokens: { readonly input: number; readonly output: number } | null): string =>
    tokens === null
      ? model
      : `${model} · ${tokens.input.toLocaleString('en-US')} tokens in · ${tokens.output.toLocaleString('en-US')} out`,
  cost: (usd: number): string =>
    usd > 0 && usd < 0.0001 ? 'less than $0.0001' : `about $${usd.toFixed(usd < 0.1 ? 4 : 2)}`,
  undoAll: 'Undo all changes',
  undoneAlready: 'These changes have already been undone.',
  // Code in an answer
  code: (language: string): string => (language === '' ? 'Code' : `Code (${language})`),
  insertBelow: 'Insert below',
  replaceCell: 'Replace cell',
  replaceHint: (name: string): string => `Shows the changes to ${name} first`,
  replaceNone: 'Select a cell of the same language first',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Couldn’t copy. Select the text and copy it manually.',
  inserted: 'Cell added',
  replaceTitle: (name: string): string => `Replace the code of ${name}?`,
  replaceChanges: 'Changes',
  replaceSame: 'The cell already has this code.',
  accept: 'Accept',
  reject: 'Reject',
  // A question
  question: 'The assistant asks',
  show: 'Show',
  allow: 'Allow',
  decline: 'Decline',
  left: (seconds: number): string =>
    seconds >= 120 ? `${Math.ceil(seconds / 60)} min left` : `${seconds} s left`,
  expired: 'Time is up. The change was declined.',
  noAnswer: 'If you do not answer in time, the change is declined.',
  asks: (summary: string): string =>
    `The assistant asks: ${summary}. Allow or decline it in the Assistant panel.`,
  preview: {
    create: (language: string, after: string | null): string =>
      after === null ? `New ${language} cell at the end` : `New ${language} cell after ${after}`,
    edit: (name: string): string => `Changes to ${name}`,
    delete: (name: string): string => `Code of ${name}, which is deleted`,
    run: (name: string): string => `Code of ${name}`,
    packages: 'Packages that change',
  },
  emptyText: '(empty)',
  becomesStale: (names: string): string => `Becomes stale: ${names}`,
  wouldLack: (names: string): string => `No longer defined by any cell: ${names}`,
  runsFirst: (names: string): string => `Runs first: ${names}`,
  packageChange: (before: string | null, after: string | null): string => {
    if (before === null) return `add ${after ?? ''}`;
    return after === null ? `remove ${before}` : `${before} → ${after}`;
  },
  packagesUnknown: (why: string): string => `Couldn’t determine which packages change: ${why}`,
  // What is sent
  context: 'What is sent',
  contextSum: (cells: number, tokens: number): string =>
    `${cells === 1 ? '1 cell' : `${cells} cells`}, about ${tokens.toLocaleString('en-US')} tokens`,
  contextTo: (model: string, address: string): string => `Sent to ${model} at ${address}`,
  contextRest: (tokens: number): string =>
    `Instructions, packages, conversation and message: about ${tokens.toLocaleString('en-US')} tokens`,
  contextSecrets: (count: number): string =>
    count === 1 ? 'Secrets in 1 text are hidden.' : `Secrets in ${count} texts are hidden.`,
  contextNot: 'Outputs and variables are not sent.',
  contextTools: 'Through its tools, the model may also read what cells print.',
  exactText: 'Show the exact text',
  contextLoading: 'Loading what would be sent…',
  tokens: (tokens: number): string => `${tokens.toLocaleString('en-US')} tokens`,
  cut: 'shortened to fit the limit',
  cutAll: 'left out to fit the limit',
  notSentCell: 'not sent',
  // Nothing to show yet
  ideasTitle: 'Ask about this notebook',
  ideasText: 'The assistant reads the code of your cells. It changes nothing without asking.',
  ideas: [
    { mode: 'ask', text: 'Explain what this notebook does, cell by cell.' },
    { mode: 'ask', text: 'Which parts could be wrong or slow?' },
    { mode: 'agent', text: 'Add a cell that plots the main result.' },
  ],
  ideasEmptyTitle: 'Start a notebook with the assistant',
  ideasEmpty: [
    { mode: 'agent', text: 'Create a cell that reads data.csv and shows the first rows.' },
    { mode: 'agent', text: 'Create an example that fits a line to noisy data and plots it.' },
    { mode: 'ask', text: 'How do I read a table from a database here?' },
  ],
  noProviderTitle: 'No AI model is set',
  noProviderText: 'Nothing is sent anywhere until you set one.',
  noProviderLocal:
    'On this computer: start Ollama, LM Studio or llama.cpp, then enter its address, such as http://localhost:11434/v1, and the name of a model. As the key, add a variable SVC_AI_API_KEY with any text.',
  noProviderHosted:
    'With a provider: add its key as a variable, such as ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or MISTRAL_API_KEY.',
  setModel: 'Set AI model…',
  openVariables: 'Add a key',
  untrustedTitle: 'The assistant is off',
  untrustedText: 'This folder is not trusted. Trust it in the banner above the cells to use the assistant.',
  reading: 'Loading the conversation…',
  // Prepared messages
  fix: 'Fix with assistant',
  explain: 'Explain',
  explainHint: 'Ask the assistant about this problem',
  fixMessage: (name: string, error: string): string =>
    `The cell ${name} failed. Explain the cause briefly and give the corrected code of the whole cell.\n\nThe error, as data:\n${error}`,
  explainMessage: (name: string, line: number | null, problem: string): string =>
    `Explain this problem in the cell ${name}${line === null ? '' : `, line ${line}`}, and how to solve it.\n\nThe problem, as data:\n${problem}`,
  needsError: 'the selected cell has no error',
  needsFault: 'the selected cell has no problem',
  needsTrust: 'the folder is not trusted',
  nothingRuns: 'the assistant is not running',
  // Failures
  lost: 'The connection was lost. The part that arrived is kept.',
  lostJob:
    'The connection was lost and the job has ended. The part that arrived is kept. Check the cells for changes.',
  notSent: 'Not connected, so this was not sent. Try again once the connection is back.',
  cancelled: 'Stopped. The part that arrived is kept.',
  cancelledJob: 'Stopped. Changes already made are kept until you undo them.',
  tryAgain: 'Try again',
  advice: {
    ai_rate_limited: 'Wait a minute, then try again, or choose another model.',
    ai_timeout: 'Try again, or raise the idle timeout in the AI settings.',
    ai_failed: 'Check the address, the model and the key, then try again.',
    ai_unavailable: 'Set a model and a key first.',
    conflict: 'Wait until the other job is done, or stop it. Then try again.',
  } as Readonly<Record<string, string>>,
  settings: 'AI settings…',
} as const;

/** A step of a job in plain words. */
export function stepWords({ tool, subject, state, detail }: Step): string {
  if (tool === null) return detail;
  const of = subject === null ? '' : ` ${subject}`;
  const words = STEPS[tool] ?? { running: `Using ${tool}`, done: `Used ${tool}`, not: `use ${tool}` };
  switch (state) {
    case 'running':
      return `${words.running}${of}…`;
    case 'done':
      return `${words.done}${of}`;
    case 'declined':
      return detail.includes('no confirmation')
        ? `Not allowed in time: ${words.not}${of}`
        : `You declined: ${words.not}${of}`;
    case 'failed':
      return `Couldn’t ${words.not}${of}${detail === '' ? '' : `: ${detail}`}`;
  }
}

const STEPS: Readonly<
  Record<string, { readonly running: string; readonly done: string; readonly not: string }>
> = {
  get_notebook_state: {
    running: 'Reading the notebook',
    done: 'Read the notebook',
    not: 'read the notebook',
  },
  create_cell: { running: 'Adding a cell', done: 'Added a cell', not: 'add a cell' },
  edit_cell: { running: 'Changing', done: 'Changed', not: 'change' },
  delete_cell: { running: 'Deleting', done: 'Deleted', not: 'delete' },
  run_cell: { running: 'Running', done: 'Ran', not: 'run' },
  add_package: { running: 'Adding the package', done: 'Added the package', not: 'add the package' },
  search_notebook: { running: 'Searching for', done: 'Searched for', not: 'search for' },
  explain_cell: { running: 'Checking the state of', done: 'Checked the state of', not: 'check' },
  describe_value: { running: 'Looking at', done: 'Looked at', not: 'look at' },
  look_at_figure: {
    running: 'Looking at the figure of',
    done: 'Looked at the figure of',
    not: 'look at the figure of',
  },
};

/** What a preview shows. @param nameOf what a person calls a cell */
export function previewTitle(preview: AgentPreview, nameOf: (cellId: string) => string): string {
  switch (preview.kind) {
    case 'create': {
      const { language, after_cell_id: after } = preview;
      return ASSISTANT_WORDS.preview.create(language, after === null ? null : nameOf(after));
    }
    case 'packages':
      return ASSISTANT_WORDS.preview.packages;
    default:
      return ASSISTANT_WORDS.preview[preview.kind](nameOf(preview.cell_id));
  }
}
