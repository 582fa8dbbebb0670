import type { Logger } from 'pino'
import { listenTo } from '../../db/postgres/listen.ts'
import { countGateways } from '../../features/nodes/node-life.ts'
import { goneAfterMs } from '../../features/nodes/node-seat.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import type { GatewayToken, SeenProcedure } from '../gateway-link.ts'
import { gatewaysChannel, reportsChannel } from './gateway-account-store.ts'
import type { GatewayConfigs } from './gateway-configs.ts'
import {
  gatewayMessage,
  type GatewayMessage,
  type GatewayReportMessage,
} from './gateway-messages.ts'
import type { GatewayTokens } from './gateway-tokens.ts'

/** What a report counts. */
type Figures = Pick<
  GatewayReportMessage,
  'traffic' | 'token_uses' | 'quota_uses' | 'tool_calls' | 'unknown_keys'
>

interface GatewayReportsOptions {
  databaseUrl: string
  configs: Pick<GatewayConfigs, 'sealOf'>
  tokens: GatewayTokens
  /** One that publishes nothing. */
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  onFigures: (report: Figures) => void
  onProcedureSeen: (apiId: number, seen: SeenProcedure) => void
  onAnswer: (part: GatewayMessage & { kind: 'answer' }) => void
  /** Rejects where there is none. */
  onTokenWanted: (apiId: number, refused: number | null) => Promise<GatewayToken>
}

/** Further ones are dropped; reports are sent again. */
const waitingMax = 10_000

/**
 * Hears gateways that run alone. Every server of the control plane hears all of them; a report counts at the one
 * that takes it first.
 */
export class GatewayReports {
  readonly #options: GatewayReportsOptions
  #listener: { stop(): Promise<void> } | undefined
  #waiting = 0
  #working: Promise<void> = Promise.resolve()

  constructor(options: GatewayReportsOptions) {
    this.#options = options
  }

  start(): void {
    this.#listener = listenTo(this.#options.databaseUrl, reportsChannel, {
      onNotification: (payload) => payload && this.#take(payload),
    })
  }

  async stop(): Promise<void> {
    await this.#listener?.stop()
    await this.#working
  }

  #take(payload: string): void {
    if (this.#waiting >= waitingMax) return
    this.#waiting++
    this.#working = this.#working.then(async () => {
      await this.#hear(payload).catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'what a gateway reported could not be taken'),
      )
      this.#waiting--
    })
  }

  async #hear(payload: string): Promise<void> {
    const [account = '', sealed = ''] = payload.split(' ')
    const seal = await this.#options.configs.sealOf(account)
    if (!seal) return
    const opened = await seal.open(sealed, { kind: 'message', account })
    const message = gatewayMessage.parse(opened)
    if (message.kind === 'report') return this.#record(message)
    if (message.kind === 'token') return void this.#answer(message)
    if (message.kind === 'answer') return this.#options.onAnswer(message)
    this.#options.onProcedureSeen(message.api_id, message.seen as unknown as SeenProcedure)
  }

  /** Answered at the commit, so that an answered report is one that counts; one of a copied folder never does. */
  async #record(report: GatewayReportMessage): Promise<void> {
    const { inTransaction, clock, onFigures } = this.#options
    const { node, beat, state, is_last } = report
    const now = clock.now().toISOString()
    const goneBefore = new Date(clock.now().getTime() - goneAfterMs).toISOString()
    const facts = { ...node, beat, role: 'gateway', seen_at: now, stopped_at: is_last ? now : null }
    const isFirst = await inTransaction(async ({ nodes, gatewayAccounts }) => {
      const taken = await nodes.putGateway({ ...facts, state: JSON.stringify(state) }, goneBefore)
      const holder = taken ? undefined : await nodes.find(node.instance_id)
      const answer =
        holder && holder.start_id !== node.start_id
          ? `taken ${node.start_id} ${holder.start_id} ${holder.beat}`
          : `heard ${node.start_id} ${beat} ${countGateways(await nodes.list(), clock.now())}`
      await gatewayAccounts.tell(gatewaysChannel, answer)
      return taken
    })
    if (isFirst) onFigures(report)
  }

  /** A sign-in takes its time; reports do not wait for it. */
  async #answer({ api_id, refused }: GatewayMessage & { kind: 'token' }): Promise<void> {
    const { tokens, onTokenWanted, log } = this.#options
    try {
      await tokens.put(api_id, await onTokenWanted(api_id, refused))
    } catch (error) {
      log.warn({ err: error, api_id }, 'a gateway got no token')
      await tokens.tellFailure(api_id, refused).catch(() => {})
    }
  }
}
