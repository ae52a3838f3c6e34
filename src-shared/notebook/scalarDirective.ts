/** Checks whether an annotation with a single value can be set to a given text. */

import { cacheOf, jsonObjectOf, timeoutOf } from './annotations.ts';
import { decimalOf, integerOf, isIdentifier } from './directives.ts';

/** The type of a directive's single value: a description, and a check. */
interface Scalar {
  readonly needs: string;
  readonly takes: (argument: string) => boolean;
}

const isText = (argument: string): boolean => argument.trim() !== '';
const TEXT: Scalar = { needs: 'a text', takes: isText };
const SWITCH: Scalar = {
  needs: 'on, off or nothing',
  takes: (argument) => /^(|on|true|yes|1|off|false|no|0)$/i.test(argument),
};
const isCount = (argument: string): boolean => (integerOf(argument) ?? 0) >= 1;

/**
 * Directives with a single value (docs/spec/annotations.md, 1.2, 2). The others have parts, or may be on several lines.
 */
const SCALARS: Readonly<Record<string, Scalar>> = {
  name: TEXT,
  worker: TEXT,
  timeout: { needs: 'a number of seconds above 0', takes: (argument) => timeoutOf(argument) !== null },
  nocache: SWITCH,
  live: SWITCH,
  setup: SWITCH,
  per_variant: {
    needs: 'the name of a group, or nothing',
    takes: (argument) => argument === '' || isIdentifier(argument),
  },
  loop_until: { needs: 'an expression', takes: isText },
  app: { needs: 'hide', takes: (argument) => argument === 'hide' },
  cache: {
    needs: 'fingerprint, forever, session, snapshot or ttl=SECONDS',
    takes: (argument) => cacheOf(argument) !== null,
  },
  model: TEXT,
  system: TEXT,
  output: { needs: 'json or text', takes: (argument) => argument === 'json' || argument === 'text' },
  temperature: { needs: 'a number', takes: (argument) => decimalOf(argument) !== null },
  max_tokens: { needs: 'a whole number of at least 1', takes: isCount },
  output_schema: { needs: 'one JSON object', takes: (argument) => jsonObjectOf(argument) !== null },
  validate_retries: { needs: 'a whole number of at least 1', takes: isCount },
};

/** Directives with several parts. */
const COMPOSED: ReadonlySet<string> = new Set(['after', 'variant', 'loop', 'sql']);

/** Why a directive cannot be set to this value; null if it can. @param argument null removes the directive */
export function whyNoScalar(key: string, argument: string | null): string | null {
  const directive = key.toLowerCase();
  if (COMPOSED.has(directive)) return `@${directive} is made of several parts: write its line in the source`;
  // An unknown line may be removed.
  if (argument === null) return null;
  const scalar = Object.hasOwn(SCALARS, directive) ? SCALARS[directive] : undefined;
  if (scalar === undefined) {
    return `there is no directive @${directive}; those with one value are ${Object.keys(SCALARS).join(', ')}`;
  }
  return scalar.takes(argument.trim())
    ? null
    : `@${directive} needs ${scalar.needs}, not ${JSON.stringify(argument)}`;
}
