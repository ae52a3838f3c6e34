/** Steps for tests: the fields that a test sets, with defaults for the rest. */

import { cellId, notebookId } from '../../../src-shared/notebook/ids.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type {
  AnyStep,
  PromptStep,
  PythonStep,
  ReadingRequest,
  RStep,
  SqlStep,
  StepRequest,
} from '../step.ts';

type Once<S> = Extract<S, { shape: 'once' }>;
type Own<S extends StepRequest> = Pick<S, 'source'> & Partial<Omit<S, 'language'>>;

/** The fields that the steps of every language have. */
export function plainKeys({ source, defines = [] }: Own<ReadingRequest>): AnyStep {
  return {
    notebookId: notebookId('n'),
    cellId: cellId('a'),
    source,
    sourceHash: source,
    provenanceHash: `of ${source}`,
    basis: '',
    envHash: 'env',
    inputHashes: [],
    facts: {
      sourceHash: source,
      inputs: [],
      lockHash: '',
      timeoutSeconds: 10,
      env: {},
      worker: 'local',
      data: [],
      modules: [],
    },
    consumed: defines,
    leaves: 'none',
    stored: {},
  };
}

function plainReading(fields: Own<ReadingRequest>) {
  return {
    ...plainKeys(fields),
    notebookDir: notebookFolder('/n'),
    cellName: fields.cellId ?? 'a',
    contentKey: null,
    inputs: [],
    defines: [],
    useCache: true,
    cacheable: true,
    env: {},
    data: [],
    timeoutSeconds: 10,
    principal: null,
    otherWrites: [],
    modules: null,
  };
}

const NO_SETUP = { setup: null, moduleNames: [] } as const;

/** A Python cell that runs once; spread a shape over it for another. */
export function plainPython(fields: Own<Once<PythonStep>>): Once<PythonStep> {
  return {
    ...plainReading(fields),
    ...NO_SETUP,
    worker: null,
    interpreter: { path: '/python', identity: 'p' },
    language: 'python',
    shape: 'once',
    unlockedKey: null,
    packages: null,
    mutationDefines: [],
    below: {},
    ...fields,
  };
}

export function plainR(fields: Own<Once<RStep>>): Once<RStep> {
  return { ...plainReading(fields), language: 'r', shape: 'once', worker: null, ...fields };
}

export function plainPrompt(fields: Own<PromptStep> & Pick<PromptStep, 'ai'>): PromptStep {
  return { ...plainReading(fields), ...NO_SETUP, language: 'prompt', interpreter: null, ...fields };
}

export function plainSql(fields: Own<SqlStep> & Pick<SqlStep, 'sql'>): SqlStep {
  return { ...plainReading(fields), language: 'sql', ...fields };
}
