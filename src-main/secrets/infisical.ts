/** Reads a notebook's secrets from the secret manager Infisical. */

import * as z from 'zod';
import { tryParseJson } from '../lib/tryParseJson.ts';
import { boundedText, MAX_BYTES } from './boundedAnswer.ts';
import { createInfisicalLogin, type InfisicalCredential, type InfisicalLogin } from './infisicalLogin.ts';
import {
  type FetchedSecrets,
  type SecretPlace,
  type SecretProvider,
  usableValues,
} from './secretProvider.ts';

interface InfisicalOptions {
  /** The URL of Infisical, with or without the `/api` that its own tools append. */
  readonly baseUrl: string;
  /** Null: the server was started without one. */
  readonly credential: InfisicalCredential | null;
  readonly timeoutSeconds: number;
}

/** A token that may list but not read gets a placeholder for each value, marked as such. */
const secrets = z.array(
  z.object({
    secretKey: z.string(),
    secretValue: z.string(),
    secretValueHidden: z.boolean().default(false),
  }),
);
const answer = z.object({ secrets, imports: z.array(z.object({ secrets })).default([]) });

/**
 * Infisical over its REST API. The secrets of the folder override imported ones; of imports the last wins, as
 * in its own tools. Redirects are not followed: the token is sent only to the configured host.
 */
export function createInfisical({ baseUrl, credential, timeoutSeconds }: InfisicalOptions): SecretProvider {
  const base = plainUrl(baseUrl);
  const host = hostOf(base);
  const login = credential === null ? null : createInfisicalLogin(base, credential);

  async function ask(
    login: InfisicalLogin,
    place: SecretPlace,
    signal: AbortSignal,
    isFirst = true,
  ): Promise<FetchedSecrets> {
    const token = await login.token(signal);
    if (token.kind === 'refused') return problem(loginMessage(token.status, host));
    if (token.kind === 'unreadable') return problem(`The login response of ${host} contains no token.`);
    const query = new URLSearchParams({
      workspaceId: place.projectId,
      environment: place.environment,
      secretPath: place.path,
      expandSecretReferences: 'true',
      include_imports: 'true',
    });
    const response = await fetch(`${base}/api/v3/secrets/raw?${query}`, {
      headers: { Authorization: `Bearer ${token.token}`, Accept: 'application/json' },
      redirect: 'manual',
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      // The token was revoked: request another one, once.
      if (response.status === 401 && isFirst && login.forget()) return ask(login, place, signal, false);
      return problem(wordsFor(response.status, host, place));
    }
    const text = await boundedText(response);
    if (text === null) return problem(`${host} sent more than ${MAX_BYTES / 1024 ** 2} MiB.`);
    const parsed = answer.safeParse(tryParseJson(text));
    if (!parsed.success) return problem(`The response of ${host} is not a list of secrets.`);
    const imported = parsed.data.imports.flatMap((one) => one.secrets);
    const all = [...imported, ...parsed.data.secrets].filter((one) => !one.secretValueHidden);
    return { kind: 'values', values: usableValues(all.map((one) => [one.secretKey, one.secretValue])) };
  }

  return {
    id: 'infisical',
    baseUrl: base,
    async fetch(place, signal) {
      if (login === null) return problem(NO_CREDENTIAL);
      const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
      try {
        return await ask(login, place, AbortSignal.any([signal, timeout]));
      } catch (error) {
        if (signal.aborted) return problem('The fetch was stopped.');
        if (timeout.aborted) return problem(`${host} did not respond within ${timeoutSeconds} s.`);
        if (!(error instanceof Error)) throw error;
        return problem(`${host} could not be reached: ${reasonOf(error)}`);
      }
    },
  };
}

/** A URL without a trailing slash or the API's own path. */
export function plainUrl(url: string): string {
  return url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api$/, '');
}

function hostOf(base: string): string {
  return URL.canParse(base) ? new URL(base).host : base;
}

function problem(message: string): FetchedSecrets {
  return { kind: 'problem', problem: message };
}

const NO_CREDENTIAL =
  'This server has no credential for Infisical: set INFISICAL_TOKEN, or INFISICAL_UNIVERSAL_AUTH_CLIENT_ID and INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET, where it is started.';

function loginMessage(status: number, host: string): string {
  if (status >= 300 && status < 400) {
    return `${host} redirects to another address (${status}). Client id and secret are not sent there.`;
  }
  if (status === 400 || status === 401 || status === 403 || status === 404) {
    return `${host} does not accept this server's client id and secret (${status}).`;
  }
  return otherWords(status, host);
}

function wordsFor(status: number, host: string, { projectId, environment, path }: SecretPlace): string {
  if (status >= 300 && status < 400) {
    return `${host} redirects to another address (${status}). The token is not sent there.`;
  }
  if (status === 401) return `${host} does not accept this server's token (401).`;
  if (status === 403) return `This server's token may not read ${environment}${path} of ${projectId} (403).`;
  if (status === 404) return `${host} has no ${environment}${path} in the project ${projectId} (404).`;
  return otherWords(status, host);
}

function otherWords(status: number, host: string): string {
  if (status === 429) return `The rate limit of ${host} is reached (429). Try again in a minute.`;
  return status >= 500
    ? `${host} returned an error (${status}). Try again later.`
    : `${host} refused (${status}).`;
}

/** The cause of a failed request: `fetch failed` alone is not helpful. */
function reasonOf(error: Error): string {
  const { cause } = error;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  return inner instanceof Error && inner.message !== '' ? inner.message : error.message;
}
