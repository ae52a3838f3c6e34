/** The options of `svc export`, parsed: what to export of a notebook, and as what. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { RenderOptions } from '../../convert/export/blocks.ts';

/** What to export, for a folder and for a server's session. */
export interface ExportRequest {
  readonly to: 'markdown' | 'html' | 'ipynb' | 'snapshot';
  readonly render: RenderOptions;
  readonly include: 'all' | 'selected' | 'none';
  /** Ids of the selected cells. */
  readonly cells: ReadonlySet<string>;
}

/** The notebook was opened, but has no such cell. */
export class NoSuchCell extends AppError {}
