/** Writes the rows of a scan as an Arrow IPC stream, which clients of the data plane receive. */

import { AsyncByteQueue, type RecordBatch, RecordBatchStreamWriter, type Schema } from 'apache-arrow';
import type { Scan } from './readScan.ts';

/** Collects the output of the Arrow library until it is taken. */
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
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return bytes;
  }
}

/** Writes an Arrow IPC stream piece by piece. */
export class IpcWriter {
  readonly #sink = new Sink();
  readonly #writer = new RecordBatchStreamWriter();

  /** @returns the bytes of the schema */
  start(schema: Schema): Uint8Array {
    this.#writer.reset(this.#sink as never, schema);
    return this.#sink.takeAll();
  }

  batch(batch: RecordBatch): Uint8Array {
    this.#writer.write(batch);
    return this.#sink.takeAll();
  }

  end(): Uint8Array {
    this.#writer.finish();
    return this.#sink.takeAll();
  }
}

/** A scan as an Arrow IPC stream: the schema, then its batches. Each piece is one batch, made on demand. */
export async function* ipcStream({ schema, batches }: Scan): AsyncGenerator<Uint8Array> {
  const writer = new IpcWriter();
  yield writer.start(schema);
  for await (const batch of batches) yield 'bytes' in batch ? batch.bytes : writer.batch(batch);
  yield writer.end();
}
