import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { Clock } from '../kernel/clock.ts'
import type { GatewayLink, GatewayToken } from '../publishing/gateway-link.ts'
import { sealedToken } from '../publishing/gateways/gateway-messages.ts'
import type { GatewaySeal } from '../publishing/gateways/gateway-seal.ts'
import type { Publisher } from '../publishing/publisher.ts'
import type { GatewayVoice } from './gateway-voice.ts'

interface RemoteTokensOptions {
  db: Db
  seal: GatewaySeal
  voice: GatewayVoice
  clock: Clock
  gateway: Pick<GatewayLink, 'setToken'>
  publisher: Pick<Publisher, 'snapshot'>
}

interface Waiting {
  /** Only a later version is of use. */
  after: number
  give: (token: GatewayToken) => void
  fail: (error: Error) => void
}

/** A sign-in at an authority may take this long. */
const waitMaxMs = 30_000
const askEveryMs = 2_000
const noToken = 'The control plane has obtained no token: its screen of the API says why.'

/**
 * Tokens of authorities for a gateway that runs alone: it reads what the control plane has obtained, and asks for
 * more. It never signs in and can't: it does not know what a sign-in needs.
 */
export class RemoteTokens {
  readonly #options: RemoteTokensOptions
  readonly #waiting = new Map<number, Set<Waiting>>()

  constructor(options: RemoteTokensOptions) {
    this.#options = options
  }

  /** A token later than `refused`, or any that lives. Rejects where none comes in time. */
  async supply(apiId: number, refused: number | null): Promise<GatewayToken> {
    const after = refused ?? -1
    const known = await this.#read(apiId)
    const isGood = known !== undefined && known.version > after
    const isYoung = isGood && known.renewAt.getTime() > Date.now()
    if (isYoung) return known
    const coming = isGood ? undefined : this.#wait(apiId, refused)
    await this.#ask(apiId, refused).catch((error: unknown) => {
      if (!coming) return
      this.#fail(apiId, after)
      throw error
    })
    return coming ?? known!
  }

  /** The control plane has obtained one. Never rejects. */
  async arrived(apiId: number): Promise<void> {
    const token = await this.#read(apiId).catch(() => undefined)
    if (!token) return
    this.#options.gateway.setToken(apiId, token)
    for (const each of this.#waiting.get(apiId) ?? [])
      if (token.version > each.after) each.give(token)
  }

  /** The control plane could not obtain one later than `after`. */
  #fail(apiId: number, after: number): void {
    for (const each of this.#waiting.get(apiId) ?? [])
      if (each.after === after) each.fail(new Error(noToken))
  }

  failed(apiId: number, refused: number | null): void {
    this.#fail(apiId, refused ?? -1)
  }

  async #ask(api_id: number, refused: number | null): Promise<void> {
    const { voice } = this.#options
    const payload = await voice.pack({ kind: 'token', api_id, refused })
    if (payload !== undefined) await voice.send(payload)
  }

  #wait(apiId: number, refused: number | null): Promise<GatewayToken> {
    const after = refused ?? -1
    const { promise, resolve, reject } = Promise.withResolvers<GatewayToken>()
    // The caller may have given up before.
    promise.catch(() => {})
    const waiting = { after, give: resolve, fail: reject }
    const all = this.#waiting.get(apiId) ?? new Set<Waiting>()
    this.#waiting.set(apiId, all.add(waiting))
    const late = setTimeout(() => reject(new Error(noToken)), waitMaxMs).unref()
    // Nobody may have been listening.
    const again = setInterval(() => void this.#ask(apiId, refused).catch(() => {}), askEveryMs)
    const end = () => {
      clearTimeout(late)
      clearInterval(again)
      all.delete(waiting)
      if (all.size === 0) this.#waiting.delete(apiId)
    }
    promise.then(end, end)
    return promise
  }

  /** What is stored, if it is for the credential that this gateway has, and lives. Workers go by the machine's clock. */
  async #read(apiId: number): Promise<GatewayToken | undefined> {
    const { db, seal, clock, publisher } = this.#options
    const row = await db
      .selectFrom('gateway_token')
      .select(['account', 'sealed'])
      .where('account', '=', sql<string>`current_user`)
      .where('api_id', '=', apiId)
      .executeTakeFirst()
    if (!row) return undefined
    const thing = { kind: 'token', account: row.account, of: apiId } as const
    const { token, version, ...stored } = sealedToken.parse(await seal.open(row.sealed, thing))
    const api = publisher.snapshot?.apis.find(({ id }) => id === apiId)
    if (api?.credential_seal !== stored.seal) return undefined
    const [renewAt, expiresAt] = [new Date(stored.renew_at), new Date(stored.expires_at)]
    if (expiresAt <= clock.now()) return undefined
    const toMachine = (at: Date) => clock.toMachine?.(at) ?? at
    return { token, version, renewAt: toMachine(renewAt), expiresAt: toMachine(expiresAt) }
  }
}
