import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { renewEveryMs, type Leases } from '../../../kernel/leases/leases.ts'
import { Rounds } from '../../../kernel/rounds.ts'
import type { OutcomeKeeper } from './outcome-keeper.ts'
import type { HealingKeeper } from '../healing/healing-keeper.ts'
import type { PollKeeper } from '../pending/poll-keeper.ts'
import type { RunStore } from '../ledger/run-store.ts'

const pollEveryMs = 1_000
const healEveryMs = 5_000

interface RunKeeperOptions {
  ledger: Ledger
  leases: Leases
  outcomes: OutcomeKeeper
  polls: PollKeeper
  /** Absent: nothing is healed. */
  healing?: HealingKeeper
  runs: RunStore
  clock: Clock
  log: Logger
}

/**
 * Periodic work: renews this server's leases, closes runs whose server is gone, and asks for decisions that
 * authorities left open, and for what became of steps whose outcome is unknown.
 */
export class RunKeeper {
  readonly #options: RunKeeperOptions
  readonly #rounds: readonly Rounds[]

  constructor(options: RunKeeperOptions) {
    this.#options = options
    const { leases, runs, polls, healing, log } = options
    const rounds = (everyMs: number, name: string, work: () => Promise<void>) =>
      new Rounds({ everyMs, work, log, failure: `runs: ${name} failed` })
    this.#rounds = [
      rounds(renewEveryMs, 'renew', () => leases.renew(runs)),
      rounds(renewEveryMs, 'sweep', () => this.sweep()),
      rounds(pollEveryMs, 'polls', () => polls.round()),
      rounds(healEveryMs, 'healing', async () => healing?.round()),
    ]
  }

  /** Closes what the last process of this server left open. Await it before the server listens. */
  async start(): Promise<void> {
    const { ledger, outcomes, log } = this.#options
    // First, so that an attempt with a known answer is not recorded as a crash.
    await outcomes
      .settleAll()
      .catch((error: unknown) => log.error({ err: error }, 'kept outcomes can’t be read'))
    this.#report(await ledger.recover({ own: true }))
    await this.sweep()
    for (const each of this.#rounds) each.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#rounds.map((each) => each.stop()))
    await this.#options.healing?.stop()
    await this.#options.polls.stop()
  }

  /** Moves kept outcomes to the ledger, then closes runs whose lease of any server has ended. */
  async sweep(): Promise<void> {
    await this.#options.outcomes.settleAll()
    this.#report(await this.#options.ledger.recover({ own: false }))
  }

  #report(recovered: number): void {
    if (recovered > 0)
      this.#options.log.warn({ runs: recovered }, 'runs were cut off by a crash; see History')
  }
}
