/** Handler of the route that lists the values that cells stored for later cells, for the window. */

import type { EXTENSION_ROUTES, StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import { openHandle } from '../../lib/guardedFolder/read.ts';
import type { Session } from '../../session/api.ts';
import type { Answer, Call } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { sessionOf } from './sessionOf.ts';

type Contract = (typeof EXTENSION_ROUTES)['listVariables'];

/** Values up to this size are included. */
const SHORT_BYTES = 2_048;
/** Maximum number of values that are read for one answer; shapes are included for all. */
const MAX_READ = 200;
/** Files open at once. */
const AT_ONCE = 8;

/**
 * The values that cells stored for later cells (docs/extensions.md): shapes from the store's rows, without large bytes.
 */
export async function listVariables(
  { sessions }: Pick<HandlerContext, 'sessions'>,
  { params }: Pick<Call<Contract>, 'params'>,
): Promise<Answer<Contract>> {
  const session = sessionOf(sessions, params.sid);
  const variables: StoredVariable[] = session.views.results
    .variables()
    .map((one) => ({ ...one, value: null }));
  const short = variables
    .filter(({ content_type, byte_size }) => content_type === 'json/object' && byte_size <= SHORT_BYTES)
    .slice(0, MAX_READ);
  const values = short.values();
  const readNext = async (): Promise<void> => {
    for (const one of values) one.value = await shortValueOf(session, one.artifact_uri);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readNext));
  return { variables };
}

/** Null if it cannot be read any more; the run that needs it reports the error. */
async function shortValueOf(session: Session, uri: string): Promise<string | null> {
  const artifactFile = await session.views.results.artifactFile(uri);
  if (artifactFile.kind !== 'file') return null;
  const file = await openHandle(artifactFile.path);
  try {
    const { size } = await file.stat();
    return size > SHORT_BYTES ? null : await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
