import { describe, expect, it } from 'vitest';
import { type StoredModel, StoredModels } from './storedModels.ts';

const model = (view: string | null, state: object = {}): StoredModel => ({
  model_name: 'M',
  model_module: 'm',
  model_module_version: '1',
  state: { _view_name: view, ...state },
});
const ref = (id: string): string => `IPY_MODEL_${id}`;
const VIEW = 'application/vnd.jupyter.widget-view+json';

/** Two displays, each of a box with a slider and an Output; some links; a style that both share. */
const models = (): StoredModels =>
  new StoredModels({
    boxA: model('Box', { children: [ref('a'), ref('outA')], layout: ref('layoutA') }),
    a: model('Slider', { style: ref('style'), self: ref('a') }),
    outA: model('Output', { outputs: [{ data: { [VIEW]: { model_id: 'shown' } } }] }),
    shown: model('Label'),
    layoutA: model(null),
    style: model(null),
    boxB: model('Box', { children: [ref('b'), ref('gone')] }),
    b: model('Slider', { style: ref('style') }),
    alone: model('Slider'),
    linkA: model(null, { source: [ref('a'), 'value'], target: [ref('alone'), 'value'] }),
    linkOfLink: model(null, { source: ref('linkA') }),
    linkOther: model(null, { source: ref('b') }),
  });

const NEEDED: readonly (readonly [root: string, ids: readonly string[]])[] = [
  ['boxA', ['a', 'alone', 'boxA', 'layoutA', 'linkA', 'linkOfLink', 'outA', 'shown', 'style']],
  ['boxB', ['b', 'boxB', 'linkOther', 'style']],
  ['shown', ['shown']],
  ['style', ['style']],
  ['absent', []],
];

describe('[VA-99] a display creates the widgets that it shows, refers to or is linked with', () => {
  it.each(NEEDED)('%s', (root, ids) => {
    expect([...models().neededBy(root)].sort()).toEqual(ids);
  });

  it('a model that was taken is not returned again', () => {
    const stored = models();
    expect(stored.take('a')?.state['style']).toBe(ref('style'));
    expect([stored.take('a'), [...stored.neededBy('boxA')].includes('a')]).toEqual([null, false]);
  });
});

describe('[VA-99] a widget that no display shows yet follows its process', () => {
  it('has the values, buffers and models that messages contained', () => {
    const stored = models();
    const update = { method: 'update', state: { value: 7, data: null }, buffer_paths: [['data', 0]] };
    stored.receive({ type: 'comm_msg', comm_id: 'b', data: update, buffers: ['AAAA'] });
    const echo = { method: 'echo_update', state: { value: 8 }, buffer_paths: [] };
    stored.receive({ type: 'comm_msg', comm_id: 'b', data: echo, buffers: [] });
    stored.receive({ type: 'comm_msg', comm_id: 'b', data: { method: 'custom', content: {} }, buffers: [] });
    stored.receive({ type: 'comm_msg', comm_id: 'absent', data: echo, buffers: [] });
    stored.receive({ type: 'comm_close', comm_id: 'alone' });
    const opened = { state: { _model_name: 'New', _model_module: 'n', _view_name: 'V', child: ref('b') } };
    stored.receive({ type: 'comm_open', comm_id: 'new', data: opened });
    expect([...stored.neededBy('new')].sort()).toEqual(['b', 'linkOther', 'new', 'style']);
    expect(stored.take('b')).toMatchObject({
      state: { value: 8, data: null, style: ref('style') },
      buffers: [{ path: ['data', 0], data: 'AAAA' }],
    });
    const replaced = { method: 'update', state: { data: null }, buffer_paths: [['data', 1]] };
    const again = models();
    again.receive({ type: 'comm_msg', comm_id: 'b', data: update, buffers: ['AAAA'] });
    again.receive({ type: 'comm_msg', comm_id: 'b', data: replaced, buffers: ['BBBB'] });
    expect(again.take('b')?.buffers).toEqual([{ path: ['data', 1], data: 'BBBB' }]);
    expect([stored.take('alone'), stored.take('absent')]).toEqual([null, null]);
    expect(stored.take('new')).toMatchObject({ model_name: 'New', model_module: 'n' });
  });

  it('a link that is opened later belongs to a display that has one of its widgets', () => {
    const stored = models();
    const isMade = (id: string): boolean => id === 'a';
    expect(['linkA', 'linkOther', 'b', 'absent'].map((id) => stored.isAttached(id, isMade))).toEqual([
      ...[true, false, false, false],
    ]);
  });
});
