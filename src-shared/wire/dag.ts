/** The wire form of the graph of cells, and of its changes after an edit. */

import * as z from 'zod';
import { diagnostic, fanOut, variantGroup } from './cell.ts';
import { widget } from './widget.ts';

/** A variable that flows from one cell to another; `""` is an @after edge without a variable. */
export const edge = z.object({ from_cell_id: z.string(), to_cell_id: z.string(), variable: z.string() });
export type Edge = z.infer<typeof edge>;

/** The REST form of the graph (docs/spec/rest-notebooks.md, 2.4). An unbuildable graph has empty lists and `error`. */
export const dag = z.object({
  edges: z.array(edge),
  topological_order: z.array(z.string()),
  leaves: z.array(z.string()),
  roots: z.array(z.string()),
  variable_producer: z.record(z.string(), z.string()),
  error: z.string().optional(),
});
export type Dag = z.infer<typeof dag>;

/**
 * The form in notebook_state and in the reply to a deletion: without the producers of names
 * (docs/spec/rest-notebooks.md, 2.4).
 */
export const linkedDag = dag.omit({ variable_producer: true });
export type LinkedDag = z.infer<typeof linkedDag>;

/** One cell's part of a dag_update. `source` is only sent to receivers that did not type it. */
export const dagCell = z.object({
  id: z.string(),
  source: z.string().nullable(),
  /** Extension: the cell's @name, so that an edited name is shown immediately. */
  name: z.string().nullable().optional(),
  defines: z.array(z.string()),
  references: z.array(z.string()),
  upstream_ids: z.array(z.string()),
  downstream_ids: z.array(z.string()),
  is_leaf: z.boolean(),
  annotation_diagnostics: z.array(diagnostic),
  variant_group: z.string().nullable(),
  variant_name: z.string().nullable(),
  variant_active: z.boolean(),
  /** Extension: the variants the cell runs for. */
  fan_out: fanOut.optional(),
  /** Extension: variables that later cells read now and the last run did not store. */
  unkept: z.array(z.string()).optional(),
  /** Extension: the controls of a widget cell, so that an edited declaration is shown immediately. */
  widget: widget.optional(),
  is_module_cell: z.boolean(),
  module_exports: z.array(z.object({ name: z.string(), kind: z.string() })),
  created_by: z.string().nullable(),
  updated_by: z.string().nullable(),
});
export type DagCell = z.infer<typeof dagCell>;

export const dagUpdate = z.object({
  edges: z.array(edge),
  roots: z.array(z.string()),
  leaves: z.array(z.string()),
  topological_order: z.array(z.string()),
  cells: z.array(dagCell),
  variant_groups: z.array(variantGroup),
  error: z.string().optional(),
  /** Extension, for the author of an edit: the cell whose edit was accepted. */
  edited: z.string().optional(),
});
export type DagUpdate = z.infer<typeof dagUpdate>;
