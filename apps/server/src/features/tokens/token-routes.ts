import {
  createToken,
  limitToken,
  listTokens,
  makeSigningSecret,
  removeSigningSecret,
  revokeToken,
  showToken,
  tokenChoices,
  tokenForm,
  type TokenDetail,
  type TokenRecord,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { TokenLimitService, TokenWithLimits } from './token-limit-service.ts'
import type { TokenSigningService } from './token-signing-service.ts'
import type { TokenService } from './token-service.ts'
import type { TokenWithUser } from './token-store.ts'

export function tokenRoutes(
  app: FastifyInstance,
  tokens: TokenService,
  limits: TokenLimitService,
  clock: Clock,
): void {
  const present = (record: TokenWithUser) => toTokenRecord(record, clock.now().toISOString())
  // wire (spec: token-response): access_token with a token field.
  mount(app, createToken, async ({ body }, context) => {
    const { token, ...record } = await tokens.create(body, context)
    return { access_token: { ...present(record), token } }
  })
  mount(app, tokenForm, async (_, { caller }) => ({ users: await tokens.listUsers(caller) }))
  mount(app, listTokens, async ({ query }, { caller }) =>
    toPage(await tokens.list(query, caller), query, present),
  )
  mount(app, revokeToken, ({ params }, context) => tokens.revoke(params.id, context))

  const presentDetail = ({
    record,
    limits,
    named,
    usage,
    canChange,
  }: TokenWithLimits): TokenDetail => ({
    token: {
      ...present(record),
      limits,
      signing_since: record.signing_since,
      version: record.version,
    },
    named,
    usage,
    can_change: canChange,
  })
  mount(app, tokenChoices, ({ query }, { caller }) => limits.choices(query, caller))
  mount(app, showToken, async ({ params }, { caller }) =>
    presentDetail(await limits.show(params.id, caller)),
  )
  mount(app, limitToken, async ({ params, body }, context) =>
    presentDetail(await limits.limit(params.id, body, context)),
  )
}

export function signingRoutes(app: FastifyInstance, signing: TokenSigningService): void {
  mount(app, makeSigningSecret, async ({ params }, context) => ({
    signing_secret: await signing.make(params.id, context),
  }))
  mount(app, removeSigningSecret, ({ params }, context) => signing.remove(params.id, context))
}

function toTokenRecord(row: TokenWithUser, now: string): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    user: { id: row.user_id, name: row.user_name },
    created_by: row.created_by_name,
    ending: row.ending,
    created_at: row.created_at,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    revoked_at: row.revoked_at,
    state: row.revoked_at !== null ? 'revoked' : row.expires_at <= now ? 'expired' : 'active',
    is_limited: row.limits !== null,
  }
}
