import { type CellReader, NOTHING_READ } from '../cellReader.ts';
import { widgetDiagnostics } from './readWidget.ts';

/** The reader of widget cells, which define their controls, in source order, and read nothing. */
export const widgetReader: CellReader = {
  read(source, _annotations, { python }) {
    const widget = python.readWidget(source);
    const defines = widget.controls.map(({ name }) => name);
    return { ...NOTHING_READ, defines, widget, faults: widgetDiagnostics(widget) };
  },
};
