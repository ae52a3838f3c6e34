/**
 * Chooses the AI provider, model and limits for a notebook from the server's settings, its variables and its `[ai]`
 * table.
 */

/** The provider and parameters of prompts (docs/spec/prompts-and-ai.md, 5). */
export interface AiSettings {
  readonly provider: Provider;
  readonly apiKey: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  readonly maxOutputTokens: number;
  /** Idle timeout: the longest time without data, in seconds. */
  readonly timeoutSeconds: number;
}

/** The settings, possibly without a key: `hint` says where to set one. */
export interface AiChoice {
  readonly settings: Omit<AiSettings, 'apiKey'>;
  /** Null: no requests can be sent. */
  readonly apiKey: string | null;
  readonly hint: string;
}

type Provider = 'anthropic' | 'google' | 'mistral' | 'openai' | 'local' | 'custom';

/** The server's own configuration (SVC_AI_*). */
export interface ServerAi {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
  readonly model: string | null;
  readonly maxOutputTokens: number;
  readonly timeoutSeconds: number;
  readonly maxContextTokens: number;
  readonly approvalTimeoutSeconds: number;
}

/** The `[ai]` table of a notebook. */
export interface FileAi {
  readonly model?: string;
  readonly base_url?: string;
  readonly api_key?: string;
  readonly max_output_tokens?: number;
  readonly timeout_seconds?: number;
  readonly max_context_tokens?: number;
  readonly approval_timeout_seconds?: number;
}

/** The limits of the assistant; a value in the notebook's file overrides the server's. */
export interface AssistantLimits {
  readonly maxContextTokens: number;
  /** A confirmation that does not come in this time counts as a no. */
  readonly approvalTimeoutSeconds: number;
}

/** What the assistant may send and how long it waits. */
export function assistantLimits(server: ServerAi, file: FileAi): AssistantLimits {
  return {
    maxContextTokens: positive(file.max_context_tokens) ?? server.maxContextTokens,
    approvalTimeoutSeconds: positive(file.approval_timeout_seconds) ?? server.approvalTimeoutSeconds,
  };
}

function positive(value: number | undefined): number | null {
  return value !== undefined && value > 0 ? value : null;
}

/** Variables for a provider's key; the first that is set counts. */
const KEY_VARIABLES = [
  { name: 'ANTHROPIC_API_KEY', baseUrl: 'https://api.anthropic.com/v1', model: 'claude-sonnet-4-6' },
  { name: 'OPENAI_API_KEY', baseUrl: 'https://api.openai.com/v1', model: 'gpt-5.4' },
  {
    name: 'GEMINI_API_KEY',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    model: 'gemini-3-flash',
  },
  { name: 'MISTRAL_API_KEY', baseUrl: 'https://api.mistral.ai/v1', model: 'mistral-large-latest' },
] as const;

const OWN_KEY_VARIABLE = 'SVC_AI_API_KEY';
const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const DEFAULT_MODEL = 'gpt-5.4';

const PROVIDER_URLS: ReadonlySet<string> = new Set(KEY_VARIABLES.map(({ baseUrl }) => baseUrl));

/** The provider that a base URL belongs to, by its host name (docs/spec/prompts-and-ai.md, 5). */
export function providerOf(baseUrl: string): Provider {
  const url = baseUrl.toLowerCase();
  if (url.includes('anthropic')) return 'anthropic';
  if (url.includes('googleapis') || url.includes('generativelanguage')) return 'google';
  if (url.includes('mistral')) return 'mistral';
  if (url.includes('openai')) return 'openai';
  return url.includes('localhost') || url.includes('127.0.0.1') ? 'local' : 'custom';
}

/**
 * The model for a notebook: the server's settings, overridden by the notebook's variables, overridden by its `[ai]`
 * table. The server's key is never sent to a URL that the notebook's file chose, unless it is the server's own or a
 * provider's: an untrusted notebook must not get it.
 */
export function chooseAi(server: ServerAi, env: Readonly<Record<string, string>>, file: FileAi): AiChoice {
  const variable = KEY_VARIABLES.find(({ name }) => (own(env, name) ?? '').trim() !== '');
  const ofEnv = own(env, variable?.name ?? OWN_KEY_VARIABLE)?.trim() ?? '';
  const ofFile = file.api_key?.trim() ?? '';
  const ofFileUrl = withoutSlash(file.base_url ?? '');
  const baseUrl = withoutSlash(ofFileUrl || (variable?.baseUrl ?? server.baseUrl ?? DEFAULT_BASE_URL));
  const isTheServers = ofFile === '' && ofEnv === '' && (server.apiKey ?? '') !== '';
  const isSafe =
    ofFileUrl === '' ||
    PROVIDER_URLS.has(baseUrl) ||
    baseUrl === withoutSlash(server.baseUrl ?? DEFAULT_BASE_URL);
  const key = ofFile || ofEnv || (isTheServers && isSafe ? (server.apiKey ?? '') : '');
  return {
    settings: {
      provider: providerOf(baseUrl),
      baseUrl,
      model: file.model?.trim() || (variable?.model ?? server.model ?? DEFAULT_MODEL),
      maxOutputTokens: file.max_output_tokens ?? server.maxOutputTokens,
      timeoutSeconds: file.timeout_seconds ?? server.timeoutSeconds,
    },
    apiKey: key === '' ? null : key,
    hint: isTheServers && !isSafe ? ownKeyHint(baseUrl) : NO_KEY_HINT,
  };
}

const NO_KEY_HINT =
  'No AI provider is configured. Add the variable ANTHROPIC_API_KEY, OPENAI_API_KEY, ' +
  'GEMINI_API_KEY or MISTRAL_API_KEY to this notebook (Environment panel, Variables: secrets stay in the session ' +
  'and are never written to its files), or let its secret manager provide it. For another server with an OpenAI-compatible ' +
  'API, enter its address under AI in the Environment panel and put its key into the variable ' +
  'SVC_AI_API_KEY. The server’s administrator can set SVC_AI_API_KEY for all notebooks.';

function ownKeyHint(baseUrl: string): string {
  return (
    `This notebook uses ${baseUrl}, but the server’s key is sent only to its own address and to the known providers. ` +
    'Add the variable SVC_AI_API_KEY with a key for that address to this notebook (Environment panel, ' +
    'Variables), or remove the address under AI.'
  );
}

function own(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

function withoutSlash(url: string): string {
  return url.trim().replace(/\/+$/, '');
}
