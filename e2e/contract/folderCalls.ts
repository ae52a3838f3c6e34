import type { Call } from './refusedCalls.ts';

/** A valid call of each route of a notebook's files and terminals, in the order in which the tests make them. */
export function folderCalls(at: () => { readonly url: string; readonly sid: string }) {
  return {
    listFiles: () => ({}),
    addFile: () => {
      const form = new FormData();
      form.append('file', new Blob(['a,b\n1,2\n']), 'trips.csv');
      return { form };
    },
    folderPicture: async () => {
      const { url, sid } = at();
      const form = new FormData();
      form.append('file', new Blob([Buffer.from('89504e470d0a1a0a', 'hex')]), 'dot.png');
      const answer = await fetch(`${url}/v1/notebooks/${sid}/x/files`, {
        method: 'POST',
        body: form,
      });
      return { query: { path: ((await answer.json()) as { path: string }).path } };
    },
    writeTextFile: () => ({ body: { path: 'helper.py', text: 'x = 1\n', base_sha256: null } }),
    readTextFile: () => ({ query: { path: 'helper.py' } }),
    moveFile: () => ({ body: { from: 'helper.py', to: 'lib/helper.py' } }),
    listTerminals: () => ({}),
    openTerminal: () => ({ body: { columns: 80, rows: 24 } }),
    closeTerminal: async () => {
      const { url, sid } = at();
      const answer = await fetch(`${url}/v1/notebooks/${sid}/x/terminals`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ columns: 80, rows: 24 }),
      });
      return { params: { terminal_id: ((await answer.json()) as { id: string }).id } };
    },
    sampleData: () => ({ body: { of: 'file', path: 'trips.csv' } }),
  } satisfies Record<string, () => Call | Promise<Call>>;
}
