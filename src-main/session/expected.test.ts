import { describe, expect, it } from 'vitest';
import { cellId } from '../../src-shared/notebook/ids.ts';
import { createWorld } from './testWorld.ts';

const NOTEBOOK = { MODE: 'all', API_KEY: 'k' };

/** What a cell with these annotations runs with, and the key it runs under, in a notebook with `NOTEBOOK` as env. */
function runOf(annotations: string): { env: Readonly<Record<string, string>>; key: string } {
  const world = createWorld({ a: 'x = 1' });
  const state = world.state();
  Object.assign(state, { file: { ...state.file, env: NOTEBOOK } });
  const source = `${annotations}x = 1`;
  world.send({ type: 'source_edited', cellId: cellId('a'), source, force: false });
  world.send({ type: 'run_requested', cellId: cellId('a'), mode: 'normal', upstream: 'go' });
  const request = world.pending[0]?.request;
  return { env: request?.env ?? {}, key: request?.provenanceHash ?? '' };
}

describe('[PV-12] the variables of a cell', () => {
  const plain = runOf('');
  for (const { what, annotations, env, sameKey } of [
    { what: 'the notebook’s', annotations: '', env: NOTEBOOK, sameKey: true },
    {
      what: 'its own win',
      annotations: '# @env MODE=one\n',
      env: { ...NOTEBOOK, MODE: 'one' },
      sameKey: false,
    },
    {
      what: 'an empty value is a value',
      annotations: '# @env MODE=\n',
      env: { ...NOTEBOOK, MODE: '' },
      sameKey: false,
    },
    {
      what: 'a blank secret is a placeholder',
      annotations: '# @env API_KEY=\n',
      env: NOTEBOOK,
      sameKey: true,
    },
  ]) {
    it(what, () => {
      const run = runOf(annotations);
      expect(run.env).toEqual(env);
      expect(run.key === plain.key).toBe(sameKey);
    });
  }
});
