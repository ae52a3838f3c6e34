/** Converts failures of requests to an AI provider to the error codes of the API, for the assistant. */

import { AppError } from '../../src-shared/wire/errors.ts';
import { ChatError } from '../ai/chat.ts';

/** The error code of a failure, for which the window shows advice; null for an internal error. */
export function failureCode(error: unknown): string | null {
  if (error instanceof ChatError) return chatRefusal(error).code;
  return error instanceof AppError ? error.code : null;
}

/** Converts the failure of a provider to a refusal, for callers that wait for one answer. */
export function chatRefusal(error: ChatError): AppError {
  const { status, kind, message, retryAfterMs } = error;
  if (status === 429) {
    const context = retryAfterMs === null ? {} : { retry_after_seconds: Math.ceil(retryAfterMs / 1000) };
    return new AppError('ai_rate_limited', message, context);
  }
  if (kind === 'silent' || status === 408 || status === 504) return new AppError('ai_timeout', message);
  return new AppError('ai_failed', message);
}
