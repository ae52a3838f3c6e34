import { DOMWidgetModel, DOMWidgetView } from '@jupyter-widgets/base';

/** What to use in place of libraries whose code does not come with Cellar. */
const INSTEAD: Readonly<Record<string, string>> = {
  bqplot: 'Draw it with Plotly or Altair.',
  'jupyter-leaflet': 'Show the map with folium.',
  'jupyter-matplotlib':
    'Remove "%matplotlib widget" or mpl.use("module://ipympl…") to show the figure as a picture.',
  jupyterlab_plotly: 'Update plotly to version 6, or display a Figure instead of a FigureWidget.',
  'jupyterlab-plotly': 'Update plotly to version 6, or display a Figure instead of a FigureWidget.',
};

/** What is said in place of a widget whose library is not here. */
export function missingText(module: string, name: string): string {
  const what = `${name.replace(/(Model|View)$/, '')} needs the JavaScript of ${module}, which does not come with Cellar.`;
  return `${what} ${INSTEAD[module] ?? 'Use a version of the library that is made with anywidget, or another library.'}`;
}

/** Holds the state of a widget that cannot be drawn, so that the widgets around it are. */
export class MissingModel extends DOMWidgetModel {}

/** Names what is missing, in the widget's place. */
export class MissingView extends DOMWidgetView {
  override render(): void {
    super.render();
    this.el.className = 'cellar-missing';
    this.el.textContent = missingText(this.model.get('_view_module'), this.model.get('_view_name'));
  }
}
