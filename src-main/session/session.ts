/** A session: one open notebook, its mailbox and the loop that performs the reducer's effects. */

import type { NotebookId, SessionId } from '../../src-shared/notebook/ids.ts';
import type { SessionClosedReason } from '../../src-shared/wire/frames/server.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { Lifetime, Session } from './api.ts';
import { createKeptWidgets, type KeptWidgets } from './effects/keptWidgets.ts';
import { createRequestOrder, entryWait, rVersionChange } from './effects/requestOrder.ts';
import { createStepWork, type StepWork, type Stops } from './effects/stepWork.ts';
import { createTestWork, type TestWork } from './effects/testWork.ts';
import { createTimers, GRACE_MS, VISITOR_MS, WRITE_AGAIN_MS } from './effects/timers.ts';
import { changedPathStates, checkBeforeWork } from './keys/observed.ts';
import { createMailbox } from './mailbox.ts';
import { reduce } from './reduce/reduce.ts';
import type { SessionDependencies } from './sessionDependencies.ts';
import type { Effect, Reduction, SessionEvent, SessionFact } from './state/events.ts';
import { rulesOf } from './state/requestRules.ts';
import type { AddressedFrame, FrameSink, Origin, Reply, SessionRequest } from './state/requests.ts';
import type { SessionState } from './state/state.ts';
import { isAtWork } from './state/testing.ts';
import { createSessionViews, type SessionViews } from './views/sessionViews.ts';
import { createFreshTexts, type FreshTexts } from './watch/freshTexts.ts';
import { createModuleCheck, type ModuleCheck } from './watch/moduleCheck.ts';

/** The origin of the last attempt to write what the disk had refused. */
const LAST_TRY: Origin = { kind: 'caller', identity: 'local' };

/** A caller that waits for the reply to a request. */
interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One open notebook: a mailbox over the pure reducer, and the loop that performs its effects. Owns the
 * folder's only writer, the running step and the timers; `close` ends all of them. It makes no decisions:
 * whatever depends on the state belongs in the reducer.
 */
export class NotebookSession implements Session {
  readonly id: SessionId;
  readonly path: NotebookFolder;
  readonly notebookId: NotebookId;
  readonly views: SessionViews;
  readonly lifetime: Lifetime;
  readonly #deps: SessionDependencies;
  readonly #mailbox: { readonly send: (event: SessionEvent) => void };
  /** An edit waits here until its names are read, and later requests wait behind it. */
  readonly #requestOrder = createRequestOrder();
  readonly #tickets = new Map<number, Waiting>();
  readonly #timers = createTimers();
  readonly #steps: Stops = new Map();
  readonly #working = new Set<Promise<unknown>>();
  readonly #tests: TestWork;
  readonly #stepWork: StepWork;
  readonly #widgets: KeptWidgets;
  readonly #modules: ModuleCheck;
  readonly #fresh: FreshTexts;
  #state: SessionState;
  readonly #ended = new AbortController();
  #sink: FrameSink | null = null;
  #nextTicket = 1;
  #lastActivityMs = Date.now();

  constructor(deps: SessionDependencies) {
    this.#deps = deps;
    this.#state = deps.state;
    deps.hiding.follow(deps.state.file);
    this.id = deps.state.sessionId;
    this.path = deps.state.path;
    this.notebookId = deps.state.notebookId;
    this.lifetime = { touch: () => this.#touch(), ended: this.#ended.signal };
    this.#mailbox = createMailbox((event) => this.#handle(event));
    const access = { state: () => this.#state, report: (fact: SessionFact) => this.report(fact) };
    this.#modules = createModuleCheck({ ...deps, ...access });
    this.#fresh = createFreshTexts(deps.files, this);
    this.#widgets = createKeptWidgets({
      ...access,
      inBackground: (work) => this.#track(work, 'live widgets'),
    });
    this.#stepWork = createStepWork(deps, {
      widgets: this.#widgets,
      stops: this.#steps,
      report: (fact) => this.report(fact),
      inBackground: (work) => this.#track(work, 'cleaning up after a run'),
      redactor: () => deps.hiding.redactor,
      readModules: () => this.#modules.read(),
      freshText: (id) => this.#fresh.beforeStep(id),
      isCurrent: (request) => this.#modules.isCurrent(request),
      environment: deps.environment,
    });
    this.views = createSessionViews(deps, {
      ...access,
      live: () => this.#stepWork.live(),
      touch: () => this.#touch(),
      inBackground: (work, what) => void this.#track(work, what),
    });
    const addDev = (requirement: string, signal: AbortSignal) =>
      deps.environment.addDev(requirement, { signal, report: (fact) => this.report(fact) });
    this.#tests = createTestWork(
      { ...deps.stepTools, log: deps.log, addDev },
      {
        stops: this.#steps,
        report: (fact) => this.report(fact),
        inBackground: (work) => this.#track(work, 'cleaning up after tests'),
      },
    );
  }

  get state(): SessionState {
    return this.#state;
  }

  get lastActivityMs(): number {
    return isAtWork(this.#state) ? Date.now() : this.#lastActivityMs;
  }

  #touch(): void {
    this.#lastActivityMs = Date.now();
  }

  announce(frames: readonly AddressedFrame[]): void {
    if (!this.#state.closing) this.#sink?.send(frames);
  }

  attach(sink: FrameSink | null): FrameSink | null {
    const before = this.#sink;
    this.#sink = sink;
    return before;
  }

  dispatch(request: SessionRequest, origin: Origin): Promise<Reply> {
    if (rulesOf(request.type).keepsAlive) this.#touch();
    const ticket = this.#nextTicket++;
    return new Promise((resolve, reject) => {
      this.#tickets.set(ticket, { resolve, reject });
      const wait = entryWait(request, this.#state, this.#deps.learn) ?? this.#fresh.before(request);
      this.#requestOrder.enter(wait, () =>
        this.#mailbox.send({ ...request, origin, ticket, atMs: Date.now() }),
      );
      if (!rulesOf(request.type).replies) this.#reply(ticket, { kind: 'done' });
    });
  }

  /** Reports a fact that no effect of the reducer produced: from the environment driver or the closing. */
  report(fact: SessionFact): void {
    this.#mailbox.send({ ...fact, atMs: Date.now() });
  }

  /** Reads what changed on disk under these paths (null: everywhere) and applies it. */
  follow(names: ReadonlySet<string> | null): void {
    if (this.#state.closing) return;
    void this.takeIn(names);
    if (names === null) this.lookAtModules();
  }

  /** The same; resolves once it is applied. Never rejects. */
  takeIn(names: ReadonlySet<string> | null): Promise<unknown> {
    const changes = this.#deps.fileEffects.follow(names, this.#state);
    return this.#track(
      changes.then((fact) => (fact === null ? undefined : this.report(fact))),
      'following the folder',
    );
  }

  /** Checks the modules cells import and applies the changes. */
  lookAtModules(): void {
    if (this.#state.closing) return;
    this.#track(this.#modules.refresh(), 'reading modules');
  }

  /** Checks the files that runs used and applies the changes. */
  lookAtFiles(): void {
    const files = changedPathStates(this.#state);
    if (files !== null) this.report({ type: 'observed_files_checked', files });
  }

  /** Starts to check external data between runs. */
  watchData(): void {
    this.#deps.dataWatch.follow(this.#state);
  }

  /** Resolves once all pending writes are on disk. */
  async written(): Promise<void> {
    await this.#deps.fileEffects.idle();
    await Promise.all([this.#deps.history.flush(), this.#deps.runtime.flush()]);
  }

  /**
   * Tells all clients, stops running work, writes pending texts, releases the folder. Callers make it
   * idempotent.
   */
  async close(reason: SessionClosedReason): Promise<void> {
    this.#ended.abort();
    this.report({ type: 'close_requested', reason });
    for (const step of this.#steps.values()) step.ask('soon');
    this.#timers.close();
    this.#deps.stopWatching();
    this.#deps.storage.close();
    this.#deps.language.close();
    this.#deps.secrets.close();
    for (const cellId of this.#state.unsaved) this.report({ type: 'write_due', cellId, origin: LAST_TRY });
    this.#deps.dataWatch.close();
    const { environment, consoles, ahead } = this.#deps;
    await Promise.all([environment.close(), consoles.close(), ahead.close(), this.#widgets.close()]);
    while (this.#working.size > 0) await Promise.allSettled([...this.#working]);
    this.#sink?.closed(reason);
    try {
      await this.#deps.history.flush();
      await this.#deps.runtime.flush();
      await this.#deps.files.close();
      await this.#deps.store.close();
    } finally {
      await this.#deps.release();
    }
    for (const ticket of [...this.#tickets.keys()]) this.#reply(ticket, { kind: 'done' });
  }

  #handle(event: SessionEvent): void {
    const files = checkBeforeWork(event, this.#state);
    if (files !== null) this.#take({ type: 'observed_files_checked', files, atMs: event.atMs });
    const wasRunning = this.#state.running !== null;
    this.#take(event);
    // Native code and child processes write without being observed.
    if (wasRunning && this.#state.running === null) setImmediate(() => this.lookAtFiles());
  }

  #take(event: SessionEvent): void {
    let next: Reduction;
    try {
      next = reduce(this.#state, event, this.#deps.tools);
    } catch (error) {
      // An internal error: the state stays unchanged, and the sender gets an error instead of waiting
      // forever.
      this.#deps.log.error({ err: error, event: event.type }, 'an event could not be reduced');
      if ('ticket' in event && event.ticket !== null) this.#fail(event.ticket, error);
      return;
    }
    const { state, frames, effects } = next;
    this.#state = state;
    this.#deps.hiding.follow(state.file);
    if (frames.length > 0) this.#sink?.send(frames);
    for (const effect of effects) this.#perform(effect);
    this.#deps.dataWatch.follow(state);
    this.#widgets.follow(state);
    const r = rVersionChange(state, this.#deps.rVersion());
    if (r !== null) this.report(r);
  }

  #reply(ticket: number, reply: Reply): void {
    this.#tickets.get(ticket)?.resolve(reply);
    this.#tickets.delete(ticket);
  }

  /** Reports the fact that replies to a request; if the work throws, the error is the reply. */
  async #answering(ticket: number, work: Promise<SessionFact>): Promise<void> {
    try {
      const fact = await work;
      this.report(fact);
      // The file decides: its content, read in place of the edit, is applied.
      const isWrite = fact.type === 'source_written' || fact.type === 'tests_written';
      if (isWrite && fact.refused?.code === 'source_changed_on_disk') this.follow(null);
    } catch (error) {
      this.#fail(ticket, error);
      throw error;
    }
  }

  #fail(ticket: number, error: unknown): void {
    this.#tickets.get(ticket)?.reject(error);
    this.#tickets.delete(ticket);
  }

  /** Tracks a piece of work until it is over, so that closing waits for it. */
  #track(work: Promise<unknown>, what: string): Promise<unknown> {
    const tracked = work.catch((error: unknown) => this.#deps.log.error({ err: error }, `${what} failed`));
    this.#working.add(tracked);
    void tracked.finally(() => this.#working.delete(tracked));
    return tracked;
  }

  #perform(effect: Effect): void {
    const { fileEffects, runtime, secrets, warmUp } = this.#deps;
    switch (effect.type) {
      case 'reply':
        this.#reply(effect.ticket, effect.reply);
        break;
      case 'run_step':
        this.#track(this.#stepWork.run(effect), 'running a cell');
        break;
      case 'check_step_data':
        this.#track(this.#stepWork.look(effect), 'looking at data');
        break;
      case 'run_ahead':
        this.#deps.ahead.setRequests(effect.requests);
        break;
      case 'cancel_step':
        this.#deps.ahead.setRequests([]);
        this.#steps.get(effect.runId)?.ask(effect.manner);
        break;
      case 'hint_worker':
        this.#deps.remote.hints.give({ ...effect, sessionId: this.id, notebookId: this.notebookId });
        break;
      case 'write_source':
        this.#track(this.#answering(effect.ticket, fileEffects.writeSource(effect)), 'writing a cell');
        break;
      case 'write_tests':
        this.#track(this.#answering(effect.ticket, fileEffects.writeTests(effect)), 'writing tests');
        break;
      case 'check_test_data':
      case 'run_tests':
      case 'install_pytest':
        this.#track(this.#tests.perform(effect), 'tests of a cell');
        break;
      case 'change_structure':
        this.#track(
          this.#answering(effect.ticket, fileEffects.changeStructure(effect)),
          'changing the notebook',
        );
        break;
      case 'fetch_secrets': {
        const { ticket } = effect;
        const fact = secrets.fact(this.#state.secretFetch, ticket);
        const reply =
          ticket === null ? fact.then((result) => this.report(result)) : this.#answering(ticket, fact);
        this.#track(reply, 'fetching secrets');
        break;
      }
      case 'save_runtime':
        runtime.save();
        for (const id of effect.cellIds) {
          const cell = this.#state.cells.get(id);
          if (cell !== undefined) this.#track(fileEffects.saveConsole(cell), 'saving a console');
        }
        break;
      case 'inspect':
        this.#track(this.#deps.consoles.perform(effect), 'a console');
        break;
      case 'widget':
        this.#track(this.#widgets.perform(effect), 'live widgets');
        break;
      case 'start_grace':
        this.#startTimer('grace', GRACE_MS, { type: 'grace_ended', runId: effect.runId });
        break;
      case 'stop_grace':
        this.#timers.stop('grace');
        break;
      case 'expire_visitor':
        this.#startTimer(`visitor:${effect.identity}`, VISITOR_MS, {
          type: 'visitor_left',
          identity: effect.identity,
        });
        break;
      case 'write_again_later':
        this.#startTimer(`write:${effect.cellId}`, WRITE_AGAIN_MS, {
          type: 'write_due',
          cellId: effect.cellId,
          origin: effect.origin,
        });
        break;
      case 'read_modules':
        this.lookAtModules();
        break;
      case 'warm_up':
        warmUp(this.#state);
        // The names that star imports bring could not be read before.
        this.#track(this.#modules.refreshStars(), 'reading modules');
        break;
      case 'start_environment':
        this.#deps.environment.start((fact) => this.report(fact));
        break;
      case 'do_environment_work': {
        const work = this.#deps.environment.perform(effect, (fact) => this.report(fact));
        this.#track(work, 'an environment job');
        break;
      }
      case 'stop_environment_work':
        this.#deps.environment.cancel();
        break;
      default:
        effect satisfies never;
    }
  }

  #startTimer(name: string, ms: number, fact: SessionFact): void {
    this.#timers.start(name, { ms, act: () => this.report(fact) });
  }
}
