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

/** What the text of a widget cell declares; never throws for a text. */
export function readWidget(parser: PythonParser, source: string): WidgetCell {
  const parsed = parser.parse(source);
  return parsed.root === null || !isPython3(parsed) ? NOT_PYTHON : readControls(parsed);
}

/** A text nested deeper than the stack. */
export const UNREADABLE_WIDGET: WidgetCell = NOT_PYTHON;

/** As the editor shows them: structural errors are of no line (annotations 1.3), their words name it. */
export function widgetDiagnostics({ faults }: WidgetCell): readonly Diagnostic[] {
  return faults.map(({ code, message, line }) =>
    diagnose(code, message, code === 'widget_invalid' ? null : line),
  );
}

/** Why a run of the cell fails, in words; null where it does not. */
export function whyInvalid({ faults }: WidgetCell): string | null {
  const errors = faults.filter(({ code }) => code === 'widget_invalid');
  return errors.length === 0 ? null : errors.map(({ message }) => message).join('\n');
}
