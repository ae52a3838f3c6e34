import { expect, it } from 'vitest';
import { whyNoScalar } from './scalarDirective.ts';

const TAKEN: readonly (readonly [string, string | null])[] = [
  ['name', 'total sales'],
  ['Timeout', '1.5'],
  ['nocache', ''],
  ['live', 'off'],
  ['setup', ''],
  ['per_variant', ''],
  ['app', 'hide'],
  ['cache', 'ttl=60'],
  ['output', 'json'],
  ['temperature', '0.2'],
  ['max_tokens', '100'],
  ['output_schema', '{"type":"object"}'],
  ['validate_retries', '3'],
  ['timeout', null],
  ['mistyped', null],
];
it.each(TAKEN)('[AN-10] @%s accepts %j', (key, argument) => {
  expect(whyNoScalar(key, argument)).toBeNull();
});

const REFUSED: readonly (readonly [string, string | null, RegExp])[] = [
  ['loop', '3', /several parts/],
  ['loop', null, /several parts/],
  ['variant', 'g a', /several parts/],
  ['after', 'a1', /several parts/],
  ['sql', 'connection=c', /several parts/],
  ['timeout', 'abc', /@timeout needs a number of seconds above 0, not "abc"/],
  ['timeout', '0', /above 0/],
  ['timeout', '', /above 0/],
  ['name', ' ', /a text/],
  ['nocache', 'maybe', /on, off/],
  ['per_variant', 'a b', /name of a group/],
  ['app', 'show', /hide/],
  ['cache', 'ttl=0', /ttl=SECONDS/],
  ['output', 'xml', /json or text/],
  ['max_tokens', '0', /at least 1/],
  ['output_schema', '[]', /JSON object/],
  ['validate_retries', '1.5', /at least 1/],
  ['bogus', '1', /no directive @bogus; those with one value are name, worker, timeout/],
  ['toString', '1', /no directive @tostring/],
];
it.each(REFUSED)('[AN-10] @%s refuses %j', (key, argument, message) => {
  expect(whyNoScalar(key, argument)).toMatch(message);
});
