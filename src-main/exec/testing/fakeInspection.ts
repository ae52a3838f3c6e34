import type { InspectAnswer, Inspection, InspectRequest, InspectStart } from '../inspection.ts';

/**
 * A console for tests, without a process. It understands a number, the name of one of its values
 * (shown as its file), `print('text')`, `time.sleep(seconds)`, which can be interrupted, and `os._exit(code)`;
 * anything else fails.
 */
export class FakeInspection implements Inspection {
  readonly started: Promise<InspectStart>;
  readonly ended: Promise<string>;
  readonly #inputs: InspectRequest['inputs'];
  #end: (reason: string) => void = () => {};
  #endReason: string | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #sleeping: (() => void) | null = null;

  constructor(request: InspectRequest) {
    this.#inputs = request.inputs;
    this.started = Promise.resolve({ kind: 'ready', unread: {} });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  evaluate(expr: string): Promise<InspectAnswer> {
    const answer = this.#turn.then(() => this.#evaluate(expr));
    this.#turn = answer;
    return answer;
  }

  /** The names of its values that start with the text. */
  complete(text: string): Promise<readonly string[]> {
    const names = this.#turn.then(() => Object.keys(this.#inputs).filter((name) => name.startsWith(text)));
    this.#turn = names;
    return names;
  }

  interrupt(): void {
    this.#sleeping?.();
  }

  async close(): Promise<void> {
    this.#finish('The console was closed.');
  }

  #finish(reason: string): void {
    this.#endReason ??= reason;
    this.#sleeping?.();
    this.#end(this.#endReason);
  }

  async #evaluate(expr: string): Promise<InspectAnswer> {
    const noOutput = { stdout: '', stderr: '', displays: [], durationMs: 0 };
    if (this.#endReason !== null) return { kind: 'ended', error: this.#endReason, ...noOutput };
    if (/^\d+$/.test(expr)) return { kind: 'value', result: expr, type: 'int', ...noOutput };
    const input = Object.hasOwn(this.#inputs, expr) ? this.#inputs[expr] : undefined;
    if (input !== undefined && 'file' in input) {
      return { kind: 'value', result: input.file, type: 'str', ...noOutput };
    }
    const [, text] = /^print\('([^']*)'\)$/.exec(expr) ?? [];
    if (text !== undefined) {
      return { kind: 'value', result: 'None', type: 'NoneType', ...noOutput, stdout: `${text}\n` };
    }
    const [, seconds] = /^time\.sleep\(([\d.]+)\)$/.exec(expr) ?? [];
    if (seconds !== undefined) {
      const isComplete = await this.#sleep(Number(seconds) * 1000);
      if (this.#endReason !== null) return { kind: 'ended', error: this.#endReason, ...noOutput };
      if (isComplete) return { kind: 'value', result: 'None', type: 'NoneType', ...noOutput };
      return { kind: 'failed', error: 'KeyboardInterrupt', stopped: 'asked', ...noOutput };
    }
    const [, code] = /^os\._exit\((\d+)\)$/.exec(expr) ?? [];
    if (code !== undefined) {
      this.#finish(`The console's process ended itself (exit code ${code}).`);
      return { kind: 'ended', error: this.#endReason ?? '', ...noOutput };
    }
    return { kind: 'failed', error: `NameError: name '${expr}' is not defined`, stopped: null, ...noOutput };
  }

  /** Whether it slept until the end. */
  #sleep(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isComplete: boolean) => {
        clearTimeout(timer);
        this.#sleeping = null;
        resolve(isComplete);
      };
      const timer = setTimeout(() => finish(true), ms);
      this.#sleeping = () => finish(false);
    });
  }
}
