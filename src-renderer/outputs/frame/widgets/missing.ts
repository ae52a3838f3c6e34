/** The message in place of a widget whose JavaScript was not stored with the output. */

import { DOMWidgetModel, DOMWidgetView } from '@jupyter-widgets/base';

/** What to do about libraries whose code was not stored with the display. */
const INSTEAD: Readonly<Record<string, string>> = {
  jupyterlab_plotly: 'Update plotly to version 6, or display a Figure instead of a FigureWidget.',
  'jupyterlab-plotly': 'Update plotly to version 6, or display a Figure instead of a FigureWidget.',
};

/** The reason why a widget cannot be shown, and what to do. */
function missingText(module: string, name: string, failure: string | null = null): string {
  if (failure !== null) return `The JavaScript of ${module} does not work here: ${failure}.`;
  const what = `${name.replace(/(Model|View)$/, '')} needs the JavaScript of ${module}, which was not stored with this output.`;
  return `${what} ${INSTEAD[module] ?? 'Run the cell again. If that does not help, the library provides no script for notebooks: use a version made with anywidget, or another library.'}`;
}

/** The model of a widget that cannot be drawn; with it, the widgets around it can be. */
export class MissingModel extends DOMWidgetModel {}

/** Shows the reason in place of the widget. */
export class MissingView extends DOMWidgetView {
  override render(): void {
    super.render();
    this.el.className = 'cellar-missing';
    this.el.textContent = missingText(
      this.model.get('_view_module'),
      this.model.get('_view_name'),
      (this.model.widget_manager as { failureOf?: (module: string) => string | null }).failureOf?.(
        this.model.get('_view_module'),
      ),
    );
  }
}
