/** Draws the Output widget of ipywidgets (captured prints and displays) inside the frame of an output. */

import { DOMWidgetModel, DOMWidgetView } from '@jupyter-widgets/base';

const VIEW = 'application/vnd.jupyter.widget-view+json';
/** Forms of a display, richest first. */
const FORMS = [VIEW, 'text/html', 'image/svg+xml', 'image/png', 'image/jpeg', 'text/markdown', 'text/latex'];

interface ShownOutput {
  readonly output_type?: string;
  readonly name?: string;
  readonly text?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly traceback?: readonly string[];
}

/** The model of an Output widget. The cell's process sets `outputs` to what was printed and displayed in it. */
export class OutputModel extends DOMWidgetModel {
  override defaults() {
    return {
      ...super.defaults(),
      _model_name: 'OutputModel',
      _view_name: 'OutputView',
      outputs: [],
      msg_id: '',
    };
  }
}

/** Draws the content of an Output widget. */
export class OutputView extends DOMWidgetView {
  #round = 0;

  override render(): void {
    super.render();
    this.el.classList.add('cellar-output', 'widget-output');
    this.listenTo(this.model, 'change:outputs', () => void this.#draw());
    void this.#draw();
  }

  async #draw(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const outputs: readonly ShownOutput[] = this.model.get('outputs') ?? [];
    const parts = await Promise.all(outputs.map((one) => this.#part(one)));
    // A newer list may have been drawn meanwhile.
    if (round === this.#round) this.el.replaceChildren(...parts);
  }

  async #part(output: ShownOutput): Promise<Node> {
    if (output.output_type === 'stream') return textOf(output.text ?? '', output.name);
    if (output.output_type === 'error') return textOf((output.traceback ?? []).join('\n'), 'stderr');
    const data = output.data ?? {};
    const form = FORMS.find((one) => data[one] !== undefined) ?? 'text/plain';
    const content = data[form];
    if (form === VIEW) return this.#widget((content as { model_id?: string }).model_id ?? '');
    const text = Array.isArray(content) ? content.join('') : String(content ?? '');
    if (form === 'text/html' || form === 'image/svg+xml') {
      const place = document.createElement('div');
      place.innerHTML = text;
      return place;
    }
    if (form === 'image/png' || form === 'image/jpeg') {
      const image = document.createElement('img');
      image.src = `data:${form};base64,${text}`;
      image.className = 'cellar-picture';
      return image;
    }
    return textOf(text, 'stdout');
  }

  async #widget(id: string): Promise<Node> {
    try {
      const model = await this.model.widget_manager.get_model(id);
      const view = await this.model.widget_manager.create_view(model, { parent: this });
      return view.el;
    } catch (error) {
      return textOf(`This widget could not be drawn: ${String(error)}`, 'stderr');
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes of terminal colours
const COLOURS = /\x1b\[[\d;]*m/g;

function textOf(text: string, name = 'stdout'): Node {
  const place = document.createElement('pre');
  place.className = `cellar-${name === 'stderr' ? 'stderr' : 'stdout'}`;
  place.textContent = text.replace(COLOURS, '');
  return place;
}
