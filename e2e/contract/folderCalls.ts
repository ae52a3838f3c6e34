import type { Call } from './refusedCalls.ts';

/** A call of each route of a notebook's files; the calls are made in this order. */
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
    sampleData: () => ({ body: { of: 'file', path: 'trips.csv' } }),
  } satisfies Record<string, () => Call | Promise<Call>>;
}
