/** UI texts of prompt cells and of the AI model they use. */
export const PROMPT_WORDS = {
  answering: 'Response so far',
  attempt: (attempt: number): string => `Attempt ${attempt}`,
  retriedFor: (why: string): string => `The previous response was rejected: ${why}`,
  waiting: 'Waiting for the model…',
  tokens: (input: number | null, output: number | null): string =>
    input === null && output === null
      ? 'tokens not counted'
      : `${counted(input)} tokens in · ${counted(output)} out`,
  retries: (count: number): string => (count === 1 ? '1 retry' : `${count} retries`),
  usage: 'Model and token usage',
  modelAndKeys: 'Choose a model or add an API key',
} as const;

function counted(tokens: number | null): string {
  return tokens === null ? '?' : tokens.toLocaleString('en-US');
}

export const AI_WORDS = {
  title: 'AI',
  provider: 'Provider',
  providers: {
    anthropic: 'Anthropic',
    google: 'Google',
    mistral: 'Mistral',
    openai: 'OpenAI',
    local: 'This machine',
    custom: 'Other server',
  } as Readonly<Record<string, string>>,
  model: 'Model',
  address: 'Address',
  ready: 'API key available. Prompt cells can run.',
  untold: 'Loading…',
  change: 'Change',
  dialogTitle: 'AI model',
  modelHint: 'Leave empty for the provider’s or server’s default. A cell can override it with # @model.',
  addressHint: 'A server with an OpenAI-compatible API. Leave empty to use the provider of your API key.',
  addressWrong: 'Enter an http:// or https:// address without a user name or password.',
  tokens: 'Response limit (tokens)',
  tokensHint: 'Leave empty for the server’s default. A cell can override it with # @max_tokens.',
  seconds: 'Idle timeout (s)',
  secondsHint: 'Cancel after this long without a response. Leave empty for the server’s default.',
  context: 'Context limit (tokens)',
  contextHint: 'The most that one request of the assistant sends. Leave empty for the server’s default.',
  approval: 'Approval timeout (s)',
  approvalHint:
    'How long the assistant waits for you to allow a change. Without an answer, the change is declined. Leave empty for the server’s default.',
  numberWrong: 'Enter a number greater than 0.',
  keys: 'Add your API key as a variable above (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, MISTRAL_API_KEY, or SVC_AI_API_KEY for another server). It stays in this session and is never written to a file.',
  save: 'Save',
  saving: 'Saving…',
} as const;
