/** Logs in to Infisical and reuses the tokens it gets. */

import * as z from 'zod';
import { tryParseJson } from '../lib/tryParseJson.ts';
import { boundedText } from './boundedAnswer.ts';

/** A machine identity of Infisical, as its universal auth knows it. */
interface MachineIdentity {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How the server authenticates: a token, or an identity for requesting short-lived tokens. */
export type InfisicalCredential =
  | { readonly kind: 'token'; readonly token: string }
  | ({ readonly kind: 'identity' } & MachineIdentity);

/** A token, or the status of the refusal; 'unreadable' for an invalid reply. */
type Login =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreadable' };

export interface InfisicalLogin {
  token(signal: AbortSignal): Promise<Login>;
  /** Call when the last token was not accepted. @returns false if no other can be requested */
  forget(): boolean;
}

/** A token is renewed this long before it expires: clocks differ, and a request takes time. */
const SPARE_MS = 30_000;

const answer = z.object({ accessToken: z.string().min(1), expiresIn: z.number().nonnegative() });

/** Tokens of a credential, each reused while it is valid (POST /api/v1/auth/universal-auth/login). */
export function createInfisicalLogin(
  base: string,
  credential: InfisicalCredential,
  now: () => number = Date.now,
): InfisicalLogin {
  if (credential.kind === 'token') {
    const { token } = credential;
    return { token: async () => ({ kind: 'token', token }), forget: () => false };
  }
  const { clientId, clientSecret } = credential;
  let current: { readonly token: string; readonly untilMs: number } | null = null;
  return {
    async token(signal) {
      if (current !== null && now() < current.untilMs) return { kind: 'token', token: current.token };
      const response = await fetch(`${base}/api/v1/auth/universal-auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ clientId, clientSecret }),
        redirect: 'manual',
        signal,
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return { kind: 'refused', status: response.status };
      }
      const text = await boundedText(response);
      const parsed = answer.safeParse(text === null ? null : tryParseJson(text));
      if (!parsed.success) return { kind: 'unreadable' };
      const { accessToken: token, expiresIn } = parsed.data;
      current = { token, untilMs: now() + expiresIn * 1000 - SPARE_MS };
      return { kind: 'token', token };
    },
    forget() {
      const had = current !== null;
      current = null;
      return had;
    },
  };
}
