/**
 * Entry point of the script that draws Jupyter widgets inside the frame of an output; `frame/libraries.ts` loads it
 * there.
 */

import iconClasses from '@fortawesome/fontawesome-free/css/fontawesome.min.css?inline';
import iconFont from '@fortawesome/fontawesome-free/webfonts/fa-solid-900.woff2?inline';
import type { DOMWidgetView } from '@jupyter-widgets/base';
import controlStyle from '@jupyter-widgets/controls/css/widgets.css?inline';
import { MessageLoop } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import luminoStyle from '@lumino/widgets/style/index.css?inline';
import { AmdModules } from './amdModules.ts';
import { anySignal } from './anySignal.ts';
import type { CommMessage, Send } from './comm.ts';
import { FrameManager, type WidgetState } from './manager.ts';
import { type FrameTheme, followPlotly } from './plotlyWidgets.ts';
import frameStyle from './widgets.css?inline';

AbortSignal.any ??= anySignal;

interface View {
  readonly model_id: string;
  readonly state?: WidgetState;
  /** The JavaScript of the widgets' libraries, by module name. */
  readonly modules?: Readonly<Record<string, string>>;
}

interface Surroundings {
  readonly place: HTMLElement;
  /** The current state of the widgets if the cell's process still runs; otherwise null. */
  readonly live: WidgetState | null;
  /** Sends a message to the process. */
  readonly send: Send;
  readonly theme: FrameTheme;
}

/** Functions that the frame calls once the widgets are drawn. */
interface Drawn {
  recolour(theme: FrameTheme): void;
  receive(message: CommMessage): void;
}

const WITHOUT_STATE =
  'This widget was stored without its state. Run the cell to show it; ipywidgets 8 or anywidget is needed.';

async function draw(view: View, { place, live, send, theme }: Surroundings): Promise<Drawn> {
  addStyle();
  place.classList.add('cellar-widgets');
  const state = live ?? view.state;
  if (state?.state[view.model_id] === undefined) {
    place.textContent = WITHOUT_STATE;
    return { recolour: () => undefined, receive: () => undefined };
  }
  const manager = new FrameManager(live === null ? null : send, new AmdModules(view.modules ?? {}));
  await manager.load(state, view.model_id);
  const model = await manager.get_model(view.model_id);
  const widgetView = (await manager.create_view(model)) as DOMWidgetView;
  const widget = widgetView.luminoWidget ?? widgetView.pWidget;
  MessageLoop.sendMessage(widget, Widget.Msg.BeforeAttach);
  place.append(widgetView.el);
  nameHandles(place);
  new MutationObserver(() => nameHandles(place)).observe(place, { childList: true, subtree: true });
  MessageLoop.sendMessage(widget, Widget.Msg.AfterAttach);
  window.addEventListener('resize', () => MessageLoop.postMessage(widget, Widget.ResizeMessage.UnknownSize));
  const recolour = followPlotly(place, theme);
  return { recolour, receive: (message) => manager.receive(message) };
}

/** Gives the handles of sliders, which have no accessible name, the text of the label beside them. */
function nameHandles(place: HTMLElement): void {
  for (const handle of place.querySelectorAll('.noUi-handle:not([aria-label])')) {
    const label = handle.closest('.jupyter-widgets')?.querySelector('.widget-label')?.textContent ?? '';
    handle.setAttribute('aria-label', label.trim() === '' ? 'Slider' : label.trim());
  }
}

function addStyle(): void {
  const style = document.createElement('style');
  const icons = `@font-face{font-family:'Font Awesome 5 Free';font-weight:900;src:url(${iconFont}) format('woff2')}
.fa,.fas,.fa-fw{font-family:'Font Awesome 5 Free';font-weight:900}`;
  style.textContent = [luminoStyle, controlStyle, iconClasses, icons, frameStyle].join('\n');
  document.head.append(style);
}

const scope = window as unknown as { cellarDraw?: Record<string, unknown> };
scope.cellarDraw = { ...scope.cellarDraw, widgets: draw };
