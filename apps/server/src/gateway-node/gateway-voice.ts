import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { reportsChannel } from '../publishing/gateways/gateway-account-store.ts'
import type { GatewayMessage } from '../publishing/gateways/gateway-messages.ts'
import type { GatewaySeal } from '../publishing/gateways/gateway-seal.ts'

/** PostgreSQL takes notifications of less than 8,000 bytes. */
const payloadMaxBytes = 7_900

/**
 * Speaks to the control plane by notifications of PostgreSQL, which need no right to write anything. Nobody may be
 * listening: what matters is said until it is answered.
 */
export class GatewayVoice {
  readonly #db: Db
  readonly #seal: GatewaySeal
  #account: string | undefined

  constructor(db: Db, seal: GatewaySeal) {
    this.#db = db
    this.#seal = seal
  }

  /** Rejects where the database is away and it is not known yet whose account this is. */
  async ready(): Promise<void> {
    await this.account()
  }

  /** The message as it travels; undefined where it is too long for that. */
  async pack(message: GatewayMessage): Promise<string | undefined> {
    const account = await this.account()
    const payload = `${account} ${await this.#seal.seal(message, { kind: 'message', account })}`
    return payload.length <= payloadMaxBytes ? payload : undefined
  }

  /** Rejects where the database is away. */
  async send(payload: string): Promise<void> {
    await sql`select pg_notify(${reportsChannel}, ${payload})`.execute(this.#db)
  }

  /** The account of this gateway. Rejects where the database is away and it is not known yet. */
  async account(): Promise<string> {
    if (this.#account === undefined) {
      const { rows } = await sql<{ name: string }>`select current_user as name`.execute(this.#db)
      this.#account = rows[0]!.name
    }
    return this.#account
  }
}
