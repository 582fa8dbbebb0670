import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { renewEveryMs, type Leases } from '../ledger/leases.ts'
import type { OutcomeKeeper } from './outcome-keeper.ts'
import type { RunStore } from '../ledger/run-store.ts'

const alarmEveryMs = 60_000
const hourMs = 3_600_000

export interface RunKeeperOptions {
  ledger: Ledger
  leases: Leases
  outcomes: OutcomeKeeper
  runs: RunStore
  clock: Clock
  log: Logger
  unknownAlarmMinutes: number
}

/**
 * What goes on beside the runs: renews this server's leases, closes runs whose server is gone, and
 * raises the alarm about outcomes that have been unknown for too long.
 */
export class RunKeeper {
  readonly #options: RunKeeperOptions
  readonly #timers: NodeJS.Timeout[] = []
  readonly #busy = new Map<string, Promise<void>>()

  constructor(options: RunKeeperOptions) {
    this.#options = options
  }

  /** Closes what this server's last life left open; to be awaited before it serves. */
  async start(): Promise<void> {
    const { ledger, leases, outcomes, runs, log } = this.#options
    // First, so that an answer which is known is not called a crash.
    await outcomes
      .settleAll()
      .catch((error: unknown) => log.error({ err: error }, 'kept outcomes can’t be read'))
    this.#tell(await ledger.recover({ own: true }))
    await this.sweep()
    this.#every(renewEveryMs, 'renew', () => leases.renew(runs))
    this.#every(renewEveryMs, 'sweep', () => this.sweep())
    this.#every(alarmEveryMs, 'alarm', () => this.alarm())
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await Promise.all(this.#busy.values())
  }

  /** Puts kept outcomes into the ledger, then closes runs whose lease has run out, whoever held it. */
  async sweep(): Promise<void> {
    await this.#options.outcomes.settleAll()
    this.#tell(await this.#options.ledger.recover({ own: false }))
  }

  /** One line for each run that has been unknown for too long, once an hour, by one server alone. */
  async alarm(): Promise<void> {
    const { runs, clock, log, unknownAlarmMinutes } = this.#options
    const now = clock.now()
    const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
    const hourAgo = new Date(now.getTime() - hourMs).toISOString()
    for (const run of await runs.listAlarming(minutesAgo(unknownAlarmMinutes), hourAgo)) {
      if (!(await runs.takeAlarm(run.id, now.toISOString(), hourAgo))) continue
      log.error(
        {
          run_id: run.id,
          kind: run.kind,
          reference: run.reference,
          unknown_since: run.unknown_since,
        },
        'nobody has said what became of this run: resolve it under History',
      )
    }
  }

  #tell(recovered: number): void {
    if (recovered > 0)
      this.#options.log.warn({ runs: recovered }, 'runs were cut off by a crash; see History')
  }

  /** A round that takes longer than its interval is not begun again beside itself. */
  #every(ms: number, name: string, work: () => Promise<void>): void {
    const round = () => {
      if (this.#busy.has(name)) return
      const running = work()
        .catch((error: unknown) => this.#options.log.error({ err: error }, `runs: ${name} failed`))
        .finally(() => this.#busy.delete(name))
      this.#busy.set(name, running)
    }
    this.#timers.push(setInterval(round, ms).unref())
  }
}
