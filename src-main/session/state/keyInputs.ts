/** The inputs from which a cell's key was computed, kept to detect cheaply whether the key is still the same. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Bundle, FanOut } from '../../../src-shared/notebook/producers.ts';
import type { ModuleFile } from '../../language/modules/closure.ts';
import type { CellState, ExpectedRun, SessionState } from './state.ts';

/** All inputs of a key at one time; comparing references shows whether the key would be the same now. */
export interface KeyInputs {
  /** The run with the resulting keys. */
  readonly run: ExpectedRun;
  readonly analysis: CellState['analysis'];
  readonly entry: CellState['entry'];
  readonly widgetValues: CellState['widgetValues'];
  readonly defaults: string;
  readonly serverWorkers: SessionState['options']['serverWorkers'];
  readonly lockHash: string;
  readonly workerLockHash: string;
  readonly packages: SessionState['environment']['packages'];
  /** The external data it uses, from the last check. */
  readonly data: string;
  /** For a SQL cell, its connection and policy. */
  readonly sql: string;
  /**
   * The graph that had the links below the last time they were compared: checked first, because most edits do
   * not change the graph.
   */
  readonly graph: SessionState['graph'];
  readonly upstream: readonly CellId[] | undefined;
  readonly wiring: ReadonlyMap<string, CellId> | undefined;
  readonly bundles: ReadonlyMap<string, Bundle> | undefined;
  readonly fanOut: FanOut | undefined;
  readonly modules: readonly ModuleFile[];
  /** The analysis of the set-up cell that runs before it. */
  readonly setup: CellState['analysis'] | undefined;
  /** One for each cell upstream. */
  readonly producers: readonly ProducerInputs[];
}

/** What a run takes from one cell upstream. */
export interface ProducerInputs {
  readonly id: CellId;
  readonly analysis: CellState['analysis'] | undefined;
  readonly artifacts: CellState['artifacts'] | undefined;
  readonly consumed: readonly string[] | undefined;
  readonly fanOut: FanOut | undefined;
  readonly run: ExpectedRun | undefined;
}
