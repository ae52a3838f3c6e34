import type { Cause } from '../state/cause.ts';
import { listText, WORDS } from '../words/strings.ts';

/** The text that a cell's chip shows for the cause of its staleness, such as an edited cell above. */
export function causeWords(cause: Cause): string {
  switch (cause.kind) {
    case 'source':
      return WORDS.causeSource;
    case 'modules':
      return WORDS.causeModules(listText(cause.paths));
    case 'setup':
      return WORDS.causeSetup(cause.name);
    case 'data':
      return WORDS.causeData(listText(cause.names), cause.snapshot);
    case 'environment':
      return WORDS.causeEnvironment;
    case 'inputs':
      return WORDS.causeInputs(listText(cause.cells.map((cell) => cell.name)));
    case 'failed_upstream':
      return WORDS.causeFailed(listText(cause.cells.map((cell) => cell.name)));
    case 'inputs_unknown':
      return WORDS.causeUnknown;
    case 'unkept':
      return WORDS.causeUnkept(listText(cause.names));
    case 'forced':
      return WORDS.causeForced;
  }
}
