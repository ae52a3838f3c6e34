/**
 * Loads the AMD modules of third-party widget libraries that were stored with a display; runs inside the output's
 * frame.
 */

import * as base from '@jupyter-widgets/base';
import * as controls from '@jupyter-widgets/controls';

/** What a module exports: the classes of its models and views. */
export type ModuleExports = Readonly<Record<string, unknown>>;

type Make = (...parts: unknown[]) => unknown;

/**
 * AMD modules stored with a display: those of the libraries whose widgets it shows. Each runs when the first of its
 * classes is requested.
 */
export class AmdModules {
  readonly #texts: Readonly<Record<string, string>>;
  readonly #loaded = new Map<string, ModuleExports>();
  readonly #failures = new Map<string, string>();

  constructor(texts: Readonly<Record<string, string>>) {
    this.#texts = texts;
  }

  /** The classes of a module; null if it was not stored with the display, or failed. */
  load(name: string): ModuleExports | null {
    const module = this.#loaded.get(name);
    if (module !== undefined) return module;
    const text = Object.hasOwn(this.#texts, name) ? this.#texts[name] : undefined;
    if (text === undefined || this.#failures.has(name)) return null;
    try {
      const classes = this.#run(text);
      this.#loaded.set(name, classes);
      return classes;
    } catch (error) {
      this.#failures.set(name, error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** Why a stored module failed; null for every other module. */
  failureOf(name: string): string | null {
    return this.#failures.get(name) ?? null;
  }

  #run(text: string): ModuleExports {
    const exports: Record<string, unknown> = {};
    let result: unknown = null;
    const define = (...parts: unknown[]): void => {
      const make = parts.at(-1);
      const needs = parts.find(Array.isArray) ?? [];
      const dependencies = needs.map((need: unknown) => this.#need(String(need), exports));
      result = typeof make === 'function' ? (make as Make)(...dependencies) : make;
    };
    // Evaluated in the frame of an output, where any script of the cell may run.
    new Function('define', `${text}\n`)(Object.assign(define, { amd: {} }));
    return (result ?? exports) as ModuleExports;
  }

  #need(name: string, exports: Record<string, unknown>): unknown {
    if (name === 'exports') return exports;
    if (name === 'module') return { id: '', uri: '', exports };
    if (name === '@jupyter-widgets/base') return base;
    if (name === '@jupyter-widgets/controls') return controls;
    const other = this.load(name);
    if (other === null) throw new Error(`it needs the module ${name}, which was not stored with this output`);
    return other;
  }
}
