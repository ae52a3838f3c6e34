import {
  type FetchedSecrets,
  type SecretPlace,
  type SecretProvider,
  usableValues,
} from '../secretProvider.ts';

/** A secret manager in memory, for tests of code that uses its results. */
export class FakeProvider implements SecretProvider {
  readonly id: string;
  readonly baseUrl = 'https://secrets.example';
  /** The requests, oldest first. */
  readonly asked: SecretPlace[] = [];
  /** The secrets of the manager; a message in place of values makes requests fail. */
  holds: Readonly<Record<string, string>> | string;

  constructor(holds: FakeProvider['holds'], id = 'infisical') {
    this.holds = holds;
    this.id = id;
  }

  async fetch(place: SecretPlace, signal: AbortSignal): Promise<FetchedSecrets> {
    this.asked.push(place);
    if (signal.aborted) return { kind: 'problem', problem: 'The fetch was stopped.' };
    return typeof this.holds === 'string'
      ? { kind: 'problem', problem: this.holds }
      : { kind: 'values', values: usableValues(Object.entries(this.holds)) };
  }
}
