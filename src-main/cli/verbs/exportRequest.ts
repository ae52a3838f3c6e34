import { AppError } from '../../../src-shared/wire/errors.ts';
import type { RenderOptions } from '../../convert/export/blocks.ts';

/** What is written, the same of a folder and of a server's session. */
export interface Wanted {
  readonly to: 'markdown' | 'html' | 'snapshot';
  readonly render: RenderOptions;
  readonly include: 'all' | 'selected' | 'none';
  /** Ids of the selected cells. */
  readonly cells: ReadonlySet<string>;
}

/** The notebook was opened; what is asked of it is not there. */
export class NoSuchCell extends AppError {}
