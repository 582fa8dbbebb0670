import { tmpdir } from 'node:os'
import { buildServer, type TestServer } from '../servers/build-server.ts'
import type { TestDatabase } from '../test-database.ts'

/** Servers of one database whose clock the test moves. None of their timers run: the test does the rounds. */
export class SimulatedServers {
  readonly #names: readonly string[]
  readonly #environment: NodeJS.ProcessEnv
  readonly #database: Omit<TestDatabase, 'drop'> & { drop: () => Promise<void> }
  readonly #running = new Map<string, TestServer>()
  #secrets: TestServer['secrets'] | undefined
  #now: Date

  constructor(names: readonly string[], database: TestDatabase, from: Date) {
    this.#names = names
    this.#database = { ...database, drop: async () => {} }
    // Nobody signs in again during the week.
    this.#environment = {
      SESSION_IDLE_HOURS: '720',
      SESSION_MAX_HOURS: '8760',
      UNKNOWN_ALARM_MINUTES: '15',
      DATA_DIR: tmpdir(),
    }
    this.#now = from
  }

  get now(): Date {
    return this.#now
  }

  /** One that works. */
  get any(): TestServer {
    const [first] = this.#running.values()
    if (!first) throw new Error('No server works.')
    return first
  }

  async start(...names: string[]): Promise<void> {
    for (const name of names) {
      const beside = this.#secrets && { secrets: this.#secrets, instanceId: name }
      const server = await buildServer(this.#environment, undefined, this.#database, beside)
      this.#secrets ??= server.secrets
      server.time.now = this.#now
      this.#running.set(name, server)
    }
  }

  /** As by SIGKILL: what it has claimed stays claimed. */
  stop(...names: string[]): void {
    for (const name of names) {
      const server = this.#running.get(name)
      this.#running.delete(name)
      if (server) this.#stopped.push(server)
    }
  }
  readonly #stopped: TestServer[] = []

  setTime(now: Date): void {
    this.#now = now
    for (const server of this.#running.values()) server.time.now = now
  }

  /** What every server that works does by itself from time to time. */
  async round(): Promise<void> {
    const running = this.#names.flatMap((name) => this.#running.get(name) ?? [])
    for (const { runKeeper, dispatcher, polls, unattended } of running) {
      await runKeeper.sweep()
      await unattended.schedules.keeper.look()
      await dispatcher.look()
      await dispatcher.settled()
      await polls.round()
      await polls.idle()
      await unattended.alarms.keeper.look()
      await unattended.deliveries.keeper.look()
    }
  }

  async close(): Promise<void> {
    for (const server of [...this.#running.values(), ...this.#stopped]) await server.close()
  }
}
