import { type CellReader, NOTHING_READ } from '../cellReader.ts';
import { widgetDiagnostics } from './readWidget.ts';

/** A widget cell defines its controls, in source order, and reads nothing. */
export const widgetReader: CellReader = {
  read(source, _annotations, { python }) {
    const widget = python.readWidget(source);
    const defines = widget.controls.map(({ name }) => name);
    return { ...NOTHING_READ, defines, widget, faults: widgetDiagnostics(widget) };
  },
};
