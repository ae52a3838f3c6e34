import { expect, test } from 'vitest';
import { refusalIn, routePath } from './call.ts';

const PATHS: readonly (readonly [path: string, parts: Parameters<typeof routePath>[1], is: string])[] = [
  ['/a', {}, '/a'],
  ['/a/{sid}/b/{id}', { params: { sid: 's 1', id: 'x/../y' } }, '/a/s%201/b/x%2F..%2Fy'],
  ['/a', { query: { one: 'ä&b', two: 3, gone: undefined } }, '/a?one=%C3%A4%26b&two=3'],
  ['/a/{index}', { params: { index: -1 } }, '/a/-1'],
];
test.each(PATHS)('the path of %s with %j', (path, parts, is) => {
  expect(routePath({ path }, parts)).toBe(is);
});

const REFUSALS: readonly (readonly [text: string, message: string | null, code: string | null])[] = [
  ['{"detail":"Cell not found"}', 'Cell not found', null],
  ['{"detail":{"code":"notebook_busy","message":"Another run"}}', 'Another run', 'notebook_busy'],
  ['{"detail":[{"msg":"too long"},{"msg":"wrong"}]}', 'too long; wrong', null],
  ['Bad Gateway', 'Bad Gateway', null],
  ['{"other":1}', '{"other":1}', null],
  ['', null, null],
];
test.each(REFUSALS)('the refusal in %s', (text, message, code) => {
  expect(refusalIn(text)).toEqual({ message, code });
});
