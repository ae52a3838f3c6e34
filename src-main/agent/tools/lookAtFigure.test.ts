import { expect, it } from 'vitest';
import type { Output } from '../../../src-shared/wire/output.ts';
import { sampleCell } from '../../../src-shared/wire/testing/sampleNotebook.ts';
import { lookAtFigure } from './lookAtFigure.ts';
import type { ToolContext } from './toolContext.ts';

const output = (content_type: string, inline_data_url: string | null): Output =>
  ({ content_type, inline_data_url }) as Output; // the fields that the tool reads
const PNG = output('image/png', 'data:image/png;base64,cG5n');

function look(outputs: readonly Output[], { leaveOut = [] as string[], name = 'a' } = {}) {
  const cell = { ...sampleCell({ id: 'a', source: 'plot()' }), display_outputs: [...outputs] };
  const views = { cells: { all: () => [cell] } };
  const world = { notebook: { views }, leaveOut: new Set(leaveOut) } as unknown as ToolContext; // as above
  return lookAtFigure(world, { variable_name: name });
}

it('[AG-109] the last figure of a cell is sent to the model', () => {
  const first = output('image/png', 'data:image/png;base64,Zmlyc3Q=');
  const answer = look([first, PNG, output('text/markdown', null)]);
  expect(answer).toMatchObject({ isError: false, images: [{ mimeType: 'image/png', data: 'cG5n' }] });
});

it.each<
  readonly [
    what: string,
    outputs: readonly Output[],
    more: { leaveOut?: string[]; name?: string },
    says: RegExp,
  ]
>([
  ['no figure', [output('text/markdown', null)], {}, /shows no figure/],
  ['a drawing', [output('image/svg+xml', 'data:image/svg+xml;base64,PHN2Zz4=')], {}, /not a PNG/],
  ['a file that no longer exists', [output('image/png', null)], {}, /not a PNG/],
  ['a large one', [output('image/png', `data:image/png;base64,${'A'.repeat(4_000_004)}`)], {}, /too large/],
  ['an unknown cell', [PNG], { name: 'b' }, /No cell defines b/],
  ['a cell that is left out', [PNG], { leaveOut: ['a'] }, /No cell defines a/],
])('[AG-109] %s is an error result for the model', (_what, outputs, more, says) => {
  const answer = look(outputs, more);
  expect(answer.isError).toBe(true);
  expect(answer.text).toMatch(says);
  expect(answer.images).toBeUndefined();
});
