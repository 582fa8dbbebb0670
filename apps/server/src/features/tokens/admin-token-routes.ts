import {
  createAdminToken,
  listAdminTokens,
  revokeAdminToken,
  revokeAdminTokensOf,
  type AdminTokenRecord,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Row } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import type { AdminTokenService } from './admin-token-service.ts'

export function adminTokenRoutes(
  app: FastifyInstance,
  tokens: AdminTokenService,
  clock: Clock,
): void {
  const present = (row: Row<'admin_token'>) => toRecord(row, clock.now().toISOString())
  mount(app, listAdminTokens, async (_, { caller }) => ({
    tokens: (await tokens.list(caller)).map(present),
  }))
  mount(app, createAdminToken, async ({ body }, context) => {
    const { token, ...record } = await tokens.create(body, context)
    return { admin_token: { ...present(record), token } }
  })
  mount(app, revokeAdminTokensOf, ({ params }, context) => tokens.revokeAllOf(params.id, context))
  mount(app, revokeAdminToken, ({ params }, context) => tokens.revoke(params.id, context))
}

const toRecord = (row: Row<'admin_token'>, now: string): AdminTokenRecord => ({
  id: row.id,
  name: row.name,
  ending: row.ending,
  permissions: row.permissions.split(' '),
  created_at: row.created_at,
  expires_at: row.expires_at,
  last_used_at: row.last_used_at,
  has_expired: row.expires_at <= now,
})
