/** Reads a widget cell: its controls, the diagnostics for the editor, and why a run of it would fail. */

import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import { isPython3 } from '../python/constructs.ts';
import type { PythonParser } from '../python/syntax.ts';
import { readControls, type WidgetCell } from './controls.ts';

const NOT_PYTHON: WidgetCell = {
  controls: [],
  faults: [
    {
      code: 'widget_invalid',
      message: 'The declarations are not valid. Write one `name = kind(…)` per line, in Python syntax.',
      line: 1,
    },
  ],
};

/** Reads the controls that a widget cell declares; never throws for a source that parses. */
export function readWidget(parser: PythonParser, source: string): WidgetCell {
  const parsed = parser.parse(source);
  return parsed.root === null || !isPython3(parsed) ? NOT_PYTHON : readControls(parsed);
}

/** The result for a source nested too deeply for the stack. */
export const UNREADABLE_WIDGET: WidgetCell = NOT_PYTHON;

/**
 * The diagnostics in the editor. Structural errors have no line (docs/spec/annotations.md, 1.3): their message names
 * it.
 */
export function widgetDiagnostics({ faults }: WidgetCell): readonly Diagnostic[] {
  return faults.map(({ code, message, line }) =>
    diagnose(code, message, code === 'widget_invalid' ? null : line),
  );
}

/** The message that a run of the cell fails with; null if it does not. */
export function whyInvalid({ faults }: WidgetCell): string | null {
  const errors = faults.filter(({ code }) => code === 'widget_invalid');
  return errors.length === 0 ? null : errors.map(({ message }) => message).join('\n');
}
