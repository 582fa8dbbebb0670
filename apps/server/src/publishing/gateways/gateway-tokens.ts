import type { GatewayToken } from '../gateway-link.ts'
import type { Stores } from '../../stores.ts'
import { credentialSealOf } from '../snapshot-api.ts'
import { gatewaysChannel } from './gateway-account-store.ts'
import type { GatewayConfigs } from './gateway-configs.ts'
import type { SealedToken } from './gateway-messages.ts'

interface GatewayTokensOptions {
  stores: Pick<Stores, 'gatewayAccounts' | 'apis'>
  configs: Pick<GatewayConfigs, 'sealOf'>
}

/** Puts tokens of authorities where gateways that run alone read them, and tells them. */
export class GatewayTokens {
  readonly #options: GatewayTokensOptions

  constructor(options: GatewayTokensOptions) {
    this.#options = options
  }

  /** For the gateways of all accounts. An earlier version never takes the place of a later one. */
  async put(apiId: number, issued: GatewayToken): Promise<void> {
    const { stores, configs } = this.#options
    const accounts = await stores.gatewayAccounts.list()
    if (accounts.length === 0) return
    const api = await stores.apis.find(apiId)
    if (!api) return
    const { token, version, renewAt, expiresAt } = issued
    const value = {
      token,
      version,
      renew_at: renewAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      seal: credentialSealOf(api),
    } satisfies SealedToken
    for (const { name: account } of accounts) {
      const seal = await configs.sealOf(account)
      if (!seal) continue
      const sealed = await seal.seal(value, { kind: 'token', account, of: apiId })
      await stores.gatewayAccounts.putToken({ account, api_id: apiId, version, sealed })
    }
    await stores.gatewayAccounts.tell(gatewaysChannel, `token ${apiId}`)
  }

  async tellFailure(apiId: number, refused: number | null): Promise<void> {
    const payload = `failed ${apiId} ${refused ?? '-'}`
    await this.#options.stores.gatewayAccounts.tell(gatewaysChannel, payload)
  }
}
