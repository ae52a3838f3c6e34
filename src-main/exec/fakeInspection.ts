import type { InspectAnswer, Inspection, InspectRequest, InspectStart } from './inspection.ts';

/**
 * A console for tests of what is above it: no process. It understands a number, the name of a value it was given
 * (told by its file), `print('text')`, `time.sleep(seconds)`, which can be interrupted, and `os._exit(code)`;
 * anything else fails.
 */
export class FakeInspection implements Inspection {
  readonly started: Promise<InspectStart>;
  readonly ended: Promise<string>;
  readonly #inputs: InspectRequest['inputs'];
  #end: (words: string) => void = () => {};
  #over: string | null = null;
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

  /** Names of the values it was given. */
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

  #finish(words: string): void {
    this.#over ??= words;
    this.#sleeping?.();
    this.#end(this.#over);
  }

  async #evaluate(expr: string): Promise<InspectAnswer> {
    const printed = { stdout: '', stderr: '', displays: [], durationMs: 0 };
    if (this.#over !== null) return { kind: 'ended', error: this.#over, ...printed };
    if (/^\d+$/.test(expr)) return { kind: 'value', result: expr, type: 'int', ...printed };
    const input = Object.hasOwn(this.#inputs, expr) ? this.#inputs[expr] : undefined;
    if (input !== undefined && 'file' in input) {
      return { kind: 'value', result: input.file, type: 'str', ...printed };
    }
    const [, text] = /^print\('([^']*)'\)$/.exec(expr) ?? [];
    if (text !== undefined) {
      return { kind: 'value', result: 'None', type: 'NoneType', ...printed, stdout: `${text}\n` };
    }
    const [, seconds] = /^time\.sleep\(([\d.]+)\)$/.exec(expr) ?? [];
    if (seconds !== undefined) {
      const whole = await this.#sleep(Number(seconds) * 1000);
      if (this.#over !== null) return { kind: 'ended', error: this.#over, ...printed };
      if (whole) return { kind: 'value', result: 'None', type: 'NoneType', ...printed };
      return { kind: 'failed', error: 'KeyboardInterrupt', stopped: 'asked', ...printed };
    }
    const [, code] = /^os\._exit\((\d+)\)$/.exec(expr) ?? [];
    if (code !== undefined) {
      this.#finish(`The console's process ended itself (exit code ${code}).`);
      return { kind: 'ended', error: this.#over ?? '', ...printed };
    }
    return { kind: 'failed', error: `NameError: name '${expr}' is not defined`, stopped: null, ...printed };
  }

  /** Whether it slept to its end. */
  #sleep(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (whole: boolean) => {
        clearTimeout(timer);
        this.#sleeping = null;
        resolve(whole);
      };
      const timer = setTimeout(() => done(true), ms);
      this.#sleeping = () => done(false);
    });
  }
}
