/** AMD modules of widget libraries. */

import * as base from '@jupyter-widgets/base';
import * as controls from '@jupyter-widgets/controls';

/** What a module exports: the classes of its models and views. */
export type Classes = Readonly<Record<string, unknown>>;

type Make = (...parts: unknown[]) => unknown;

/**
 * Modules in the AMD format that came with a display: those of the libraries whose widgets it shows.
 * Each is run when the first of its classes is asked for.
 */
export class AmdModules {
  readonly #texts: Readonly<Record<string, string>>;
  readonly #loaded = new Map<string, Classes>();
  readonly #failures = new Map<string, string>();

  constructor(texts: Readonly<Record<string, string>>) {
    this.#texts = texts;
  }

  /** The classes of a module, null where it did not come or failed. */
  load(name: string): Classes | null {
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

  /** Why a module that came does not work; null for every other one. */
  failureOf(name: string): string | null {
    return this.#failures.get(name) ?? null;
  }

  #run(text: string): Classes {
    const exports: Record<string, unknown> = {};
    let result: unknown = null;
    const define = (...parts: unknown[]): void => {
      const make = parts.at(-1);
      const needs = parts.find(Array.isArray) ?? [];
      const dependencies = needs.map((need: unknown) => this.#need(String(need), exports));
      result = typeof make === 'function' ? (make as Make)(...dependencies) : make;
    };
    // Read in the frame of an output, which may run any script of its cell.
    new Function('define', `${text}\n`)(Object.assign(define, { amd: {} }));
    return (result ?? exports) as Classes;
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
