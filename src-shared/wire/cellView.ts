/** The wire form of a cell as the command line and MCP tools show it. */

import * as z from 'zod';
import { cellStatus, language, stalenessReason } from './cell.ts';
import { testCase, testCounts } from './cellTests.ts';
import { output } from './output.ts';
import { widget, widgetValue } from './widget.ts';

/** A cell as the command line and an agent's tools show it (docs/spec/mcp.md, 3, CellView). */
export const cellView = z.object({
  id: z.string(),
  name: z.string(),
  language,
  status: cellStatus,
  source: z.string(),
  staleness_reasons: z.array(stalenessReason),
  defines: z.array(z.string()),
  references: z.array(z.string()),
  upstream_ids: z.array(z.string()),
  downstream_ids: z.array(z.string()),
  outputs: z.array(
    output.pick({
      content_type: true,
      preview: true,
      rows: true,
      columns: true,
      artifact_uri: true,
      bytes: true,
    }),
  ),
  console_stdout: z.string(),
  console_stderr: z.string(),
  /** Absent if the last run succeeded. */
  error: z.string().optional(),
  /** Null until its tests have run. */
  test: testCounts
    .pick({ passed: true, failed: true, errored: true, skipped: true })
    .extend({ cases: z.array(testCase.pick({ name: true, outcome: true, message: true })) })
    .nullable(),
  /** Empty if unknown. */
  created_by: z.string(),
  updated_by: z.string(),
  controls: z.array(widget.shape.descriptors.element.extend({ value: widgetValue })),
});
export type CellView = z.infer<typeof cellView>;
