/** Stored displays of ipywidgets for tests and benchmarks: many sliders, and widgets of other libraries. */

import { fakeBody, fakeCell, fakeOutput } from './fakeServerNotebook.ts';

const CONTROLS = { model_module: '@jupyter-widgets/controls', model_module_version: '2.0.0' };
const BASE = { model_module: '@jupyter-widgets/base', model_module_version: '2.0.0' };

function model(module: typeof CONTROLS, name: string, fields: object = {}) {
  const view = module === CONTROLS && !name.endsWith('StyleModel') ? name.replace('Model', 'View') : null;
  return {
    model_name: name,
    ...module,
    state: {
      _model_name: name,
      _model_module: module.model_module,
      _model_module_version: module.model_module_version,
      ...(view === null
        ? {}
        : { _view_name: view, _view_module: module.model_module, _view_module_version: '2.0.0' }),
      ...fields,
    },
  };
}

/** A stored display of one box with this many sliders. */
export function manySliders(count: number) {
  const ids = Array.from({ length: count }, (_none, at) => `slider${at}`);
  const entries: [string, unknown][] = ids.flatMap((id, at) => [
    [
      id,
      model(CONTROLS, 'IntSliderModel', {
        description: `x${at}`,
        value: at % 100,
        min: 0,
        max: 100,
        disabled: false,
        layout: `IPY_MODEL_${id}l`,
        style: `IPY_MODEL_${id}s`,
      }),
    ],
    [`${id}l`, model(BASE, 'LayoutModel')],
    [`${id}s`, model(CONTROLS, 'SliderStyleModel')],
  ]);
  const children = ids.map((id) => `IPY_MODEL_${id}`);
  entries.push(['box', model(CONTROLS, 'VBoxModel', { children, layout: 'IPY_MODEL_boxl' })]);
  entries.push(['boxl', model(BASE, 'LayoutModel')]);
  return {
    model_id: 'box',
    version_major: 2,
    version_minor: 0,
    state: { version_major: 2, version_minor: 0, state: Object.fromEntries(entries) },
  };
}

/** A stored display of a box with two widgets of other libraries and their scripts; the second script fails. */
export function othersWidgets() {
  const other = (module: string, name: string, fields: object) => ({
    model_name: `${name}Model`,
    model_module: module,
    model_module_version: '1.0.0',
    state: {
      _model_name: `${name}Model`,
      _model_module: module,
      _model_module_version: '1.0.0',
      _view_name: `${name}View`,
      _view_module: module,
      _view_module_version: '1.0.0',
      ...fields,
    },
  });
  const state = {
    pin: other('their-widgets', 'Pin', { place: 'Munich', layout: 'IPY_MODEL_boxl' }),
    broken: other('broken-widgets', 'Broken', { layout: 'IPY_MODEL_boxl' }),
    box: model(CONTROLS, 'VBoxModel', {
      children: ['IPY_MODEL_pin', 'IPY_MODEL_broken'],
      layout: 'IPY_MODEL_boxl',
    }),
    boxl: model(BASE, 'LayoutModel'),
  };
  return {
    model_id: 'box',
    version_major: 2,
    version_minor: 0,
    state: { version_major: 2, version_minor: 0, state },
    modules: {
      'their-widgets': `define(["module", "@jupyter-widgets/base"], (_module, base) => ({
        PinModel: base.DOMWidgetModel,
        PinView: class extends base.DOMWidgetView {
          render() { super.render(); this.el.textContent = "pinned at " + this.model.get("place"); }
        },
      }))`,
      'broken-widgets': 'define(["absent"], () => ({}))',
    },
  };
}

/** A notebook with a cell `w` that shows this stored display. */
export function widgetNotebook(text: string) {
  return fakeBody({
    name: 'Widgets',
    cells: [
      fakeCell({
        id: 'w',
        source: 'w.VBox(sliders)',
        status: 'ready',
        display_outputs: [
          fakeOutput({
            content_type: 'application/vnd.jupyter.widget-view+json',
            bytes: Buffer.byteLength(text),
            artifact_uri: 'svc://artifact/w@v=1',
            preview: 'VBox(children=…)',
          }),
        ],
      }),
    ],
  });
}
