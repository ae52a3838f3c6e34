import fc from 'fast-check';
import { extract } from 'tar-stream';
import { expect, it } from 'vitest';
import { TAR_END, tarHeader, tarLink, tarPadding } from './tarEntry.ts';

/** Names and contents as an independent reader returns them. */
async function readBack(tar: Buffer): Promise<readonly (readonly [string, string])[]> {
  const entries: [string, string][] = [];
  const reader = extract();
  reader.end(tar);
  for await (const entry of reader) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    entries.push([entry.header.name, Buffer.concat(chunks).toString()]);
  }
  return entries;
}

const name = fc
  .string({ minLength: 1, maxLength: 300, unit: 'grapheme' })
  .map((text) => `outputs/${text.replace(/[\0/\n]/g, '_')}`);

it('[WK-1] any name and any content are read back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(name, fc.string({ maxLength: 1_500 })), { maxLength: 5 }),
      async (members) => {
        const parts = await Promise.all(
          members.map(async ([path, text]) => {
            const content = Buffer.from(text.toWellFormed());
            return [
              await tarHeader(path.toWellFormed(), content.length),
              content,
              tarPadding(content.length),
            ];
          }),
        );
        const expected = members.map(([path, text]) => [path.toWellFormed(), text.toWellFormed()]);
        expect(await readBack(Buffer.concat([...parts.flat(), TAR_END]))).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});

it.each([1, 0o77777777777, 0o77777777777 + 1, 2 ** 40 + 7])(
  '[WK-1] a length of %d is written',
  async (bytes) => {
    const reader = extract();
    reader.write(await tarHeader('outputs/x', bytes));
    for await (const entry of reader) {
      expect(entry.header).toMatchObject({ name: 'outputs/x', size: bytes, type: 'file', mode: 0o600 });
      break;
    }
  },
);

it('[WK-40] any link is written as only a header', async () => {
  await fc.assert(
    fc.asyncProperty(name, name, async (path, target) => {
      const reader = extract();
      reader.end(Buffer.concat([await tarLink(path.toWellFormed(), target.toWellFormed()), TAR_END]));
      const headers: unknown[] = [];
      for await (const { header } of reader)
        headers.push([header.type, header.name, header.linkname, header.size]);
      expect(headers).toEqual([['link', path.toWellFormed(), target.toWellFormed(), 0]]);
    }),
    { numRuns: 100 },
  );
});
