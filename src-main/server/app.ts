/** The parts of one server process that the handlers of its routes use. */

import type { Builds } from '../builds/builds.ts';
import type { Config } from '../config/variables.ts';
import type { DataPlane } from '../dataPlane/api.ts';
import type { Examples } from '../notebook/examples.ts';
import type { Logger } from '../observe/log.ts';
import type { LogRing } from '../observe/logRing.ts';
import type { Tracing } from '../observe/tracing.ts';
import type { RegistryService } from '../registry/registryService.ts';
import type { RemoteStore } from '../remoteStore/remoteStore.ts';
import type { Sessions } from '../session/api.ts';
import type { CellClients } from '../session/effects/cellClients.ts';
import type { WorkerRegistry } from '../session/effects/workerRegistry.ts';
import type { TableService } from '../table/service/tableService.ts';

/** The parts that one server process serves. The code that starts the server creates and owns them. */
export interface App {
  readonly config: Config;
  readonly sessions: Sessions;
  /** Cells that workers download, run and deliver. */
  readonly builds: Builds;
  /** The artifact store of the server: named and shared results. */
  readonly registry: RegistryService;
  /** Scans and transforms of tables and artifacts. */
  readonly dataPlane: DataPlane;
  /** The artifact store that several servers share; null if there is none. */
  readonly remoteStore: RemoteStore | null;
  /** The clients `svc` of cells. */
  readonly cellClients: CellClients;
  /** The workers the server offers to every notebook. */
  readonly serverWorkers: WorkerRegistry;
  /** Pages, summaries and exports of stored tables. */
  readonly tables: Pick<TableService, 'page' | 'summary' | 'distributions' | 'column' | 'groups' | 'export'>;
  /** The notebooks that are shipped with the program. */
  readonly examples: Examples;
  /** Python minor versions offered for new notebooks, newest first. Looked up when a client needs them. */
  readonly pythonVersions: () => Promise<readonly string[]>;
  /** The program's version, as shown by /health and the OpenAPI document. */
  readonly version: string;
  readonly tracing: Tracing;
  readonly log: Logger;
  readonly recentLog: LogRing;
  /** The built web app (index.html and its assets); null if there is none. */
  readonly rendererDir: string | null;
}
