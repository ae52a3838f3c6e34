import { AsyncByteQueue, RecordBatchStreamWriter } from 'apache-arrow';
import type { Scan } from './readScan.ts';

/** What the library writes, until it is taken. */
class Sink extends AsyncByteQueue {
  #chunks: Uint8Array[] = [];

  override write(value: Parameters<AsyncByteQueue['write']>[0]): void {
    if (typeof value === 'string') this.#chunks.push(Buffer.from(value));
    else if (ArrayBuffer.isView(value)) {
      const bytes: ArrayBufferView = value;
      this.#chunks.push(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    } else throw new TypeError('the Arrow writer gave something else than bytes');
  }

  takeAll(): Uint8Array {
    const taken = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return taken;
  }
}

/** A scan as an Arrow IPC stream: the schema, then its batches. A piece is a batch, made when it is asked for. */
export async function* ipcStream({ schema, batches }: Scan): AsyncGenerator<Uint8Array> {
  const sink = new Sink();
  const writer = new RecordBatchStreamWriter();
  writer.reset(sink as never, schema);
  yield sink.takeAll();
  for await (const batch of batches) {
    writer.write(batch);
    yield sink.takeAll();
  }
  writer.finish();
  yield sink.takeAll();
}
