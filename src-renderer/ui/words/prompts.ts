/** Words of prompt cells and of whom they ask. */
export const PROMPT_WORDS = {
  answering: 'The answer so far',
  attempt: (attempt: number): string => `Attempt ${attempt}`,
  retriedFor: (why: string): string => `The answer before did not count: ${why}`,
  waiting: 'Waiting for the model…',
  tokens: (input: number | null, output: number | null): string =>
    input === null && output === null
      ? 'tokens not counted'
      : `${counted(input)} tokens in · ${counted(output)} out`,
  retries: (count: number): string => (count === 1 ? '1 retry' : `${count} retries`),
  usage: 'Who answered, and what it took',
  modelAndKeys: 'Choose a model or set a key',
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
    local: 'on this machine',
    custom: 'another server',
  } as Readonly<Record<string, string>>,
  model: 'Model',
  address: 'Address',
  ready: 'Prompt cells can ask it: there is a key.',
  untold: 'Not known yet.',
  change: 'Change',
  dialogTitle: 'Whom prompts ask',
  modelHint: 'Empty: the one of the key’s provider, or the server’s. A cell names another with # @model.',
  addressHint: 'Of a server that speaks the OpenAI API. Empty: the provider’s whose key there is.',
  addressWrong: 'An address begins with http:// or https:// and holds no name or password.',
  tokens: 'Longest answer, in tokens',
  tokensHint: 'Empty: what the server is set to. A cell says it with # @max_tokens.',
  seconds: 'Longest silence, in seconds',
  secondsHint: 'How long nothing may come before a request is ended. Empty: what the server is set to.',
  numberWrong: 'A number above 0.',
  keys: 'A key goes into a variable above (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, MISTRAL_API_KEY, or SVC_AI_API_KEY for another server): it stays in this session and is written nowhere.',
  save: 'Save',
  saving: 'Saving…',
} as const;
