import { cellId, notebookId } from '../../src-shared/notebook/ids.ts';
import type { StepRequest } from './step.ts';

/** A step for tests: the fields a test sets, with defaults for the rest. */
export function plainStep(
  fields: Pick<StepRequest, 'notebookDir' | 'language' | 'source'> & Partial<StepRequest>,
): StepRequest {
  const { source, timeoutSeconds = 10 } = fields;
  return {
    notebookId: notebookId('n'),
    cellId: cellId('a'),
    cellName: fields.cellId ?? 'a',
    sourceHash: source,
    provenanceHash: `of ${source}`,
    contentKey: null,
    basis: '',
    envHash: 'env',
    inputHashes: [],
    facts: {
      sourceHash: source,
      inputs: [],
      lockHash: '',
      timeoutSeconds,
      env: {},
      worker: 'local',
      data: [],
      modules: [],
    },
    inputs: [],
    consumed: fields.defines ?? [],
    leaves: 'none',
    mutationDefines: [],
    defines: [],
    useCache: true,
    cacheable: true,
    stored: {},
    loop: null,
    fanOut: null,
    variant: null,
    widget: null,
    env: {},
    data: [],
    timeoutSeconds,
    interpreter: { path: '/python', identity: 'p' },
    moduleNames: [],
    ai: null,
    modules: null,
    otherWrites: [],
    ...fields,
  };
}
