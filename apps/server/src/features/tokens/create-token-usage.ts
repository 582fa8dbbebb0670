import type { Logger } from 'pino'
import type { Db } from '../../db/connect.ts'
import { isPostgres } from '../../db/dialect.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { GatewayLink, TokenUsage } from '../../publishing/gateway-link.ts'
import { gatewaysChannel } from '../../publishing/gateways/gateway-account-store.ts'
import { saidUsages } from '../../publishing/gateways/said-usages.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { TokenUsageKeeper } from './token-usage-keeper.ts'

interface TokenUsageParts {
  db: Db
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  gateway: Pick<GatewayLink, 'setTokenUsage'> | undefined
}

/** Wires how uses of tokens with a quota are counted over all workers. */
export function createTokenUsage({ db, gateway, ...common }: TokenUsageParts): TokenUsageKeeper {
  const { gatewayAccounts } = common.stores
  const isShared = isPostgres(db)
  return new TokenUsageKeeper({
    ...common,
    isShared,
    tell: (usages) => gateway?.setTokenUsage(usages),
    tellOthers: async (usages: readonly TokenUsage[]) => {
      if (!isShared || (await gatewayAccounts.list()).length === 0) return
      for (const payload of saidUsages(usages)) await gatewayAccounts.tell(gatewaysChannel, payload)
    },
  })
}
