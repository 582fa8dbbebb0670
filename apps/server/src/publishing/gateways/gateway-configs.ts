import { isSameRevision, type ConfigSnapshot } from '@gatehouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { gatewaysChannel } from './gateway-account-store.ts'
import { createGatewaySeal, type GatewaySeal } from './gateway-seal.ts'

interface GatewayConfigsOptions {
  stores: Pick<Stores, 'gatewayAccounts'>
  /** One that publishes nothing. */
  inTransaction: InTransaction
  secrets: SecretBox
  clock: Clock
}

/**
 * What the control plane keeps for gateways that run alone: for each of their accounts the configuration, sealed
 * with the key of the account. Of several servers that write at once, none puts back an older one.
 */
export class GatewayConfigs {
  readonly #options: GatewayConfigsOptions

  constructor(options: GatewayConfigsOptions) {
    this.#options = options
  }

  /**
   * Puts the configuration where gateways read it, and tells them. False: the database has another one by now,
   * which has to be written instead.
   */
  async write(snapshot: ConfigSnapshot): Promise<boolean> {
    const { stores } = this.#options
    for (const account of await stores.gatewayAccounts.listWithout(snapshot))
      if (!(await this.#writeFor(account, snapshot))) return false
    return true
  }

  /** The seal of an account; undefined where there is no such account. */
  async sealOf(account: string): Promise<GatewaySeal | undefined> {
    const { stores, secrets } = this.#options
    const found = await stores.gatewayAccounts.find(account)
    return found && createGatewaySeal(openGatewayKey(secrets, found))
  }

  async #writeFor(account: string, snapshot: ConfigSnapshot): Promise<boolean> {
    const { inTransaction, clock } = this.#options
    const seal = await this.sealOf(account)
    if (!seal) return true
    const sealed = await seal.seal(snapshot, { kind: 'config', account })
    const { revision, mark } = snapshot
    return inTransaction(async ({ gatewayAccounts, revisions }) => {
      if (!(await gatewayAccounts.hold(account))) return true
      // Read with the lock: an older one never takes the place of a newer one.
      if (!isSameRevision(await revisions.get(), snapshot)) return false
      const written_at = clock.now().toISOString()
      await gatewayAccounts.putConfig({ account, revision, mark, sealed, written_at })
      await gatewayAccounts.tell(gatewaysChannel, '')
      return true
    })
  }
}

const keyPlace = (account: string) => ({
  table: 'gateway_account',
  row: 0,
  field: `key_encrypted ${account}`,
})

export const sealGatewayKey = (secrets: SecretBox, account: string, key: Buffer): string =>
  secrets.seal(key.toString('base64'), keyPlace(account))

const openGatewayKey = (
  secrets: SecretBox,
  { name, key_encrypted }: { name: string; key_encrypted: string },
): Buffer => Buffer.from(secrets.open(key_encrypted, keyPlace(name)), 'base64')
