import { exportAudit, listAudit, restoreVersion, type AuditEvent } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import { canRestore, type AuditService } from './audit-service.ts'
import type { AuditRow } from './audit-store.ts'

export function auditRoutes(app: FastifyInstance, audit: AuditService, clock: Clock): void {
  mount(app, listAudit, async ({ query }) => toPage(await audit.list(query), query, toAuditEvent))
  mount(app, exportAudit, async ({ query }) => ({
    filename: `audit-${clock.now().toISOString().slice(0, 10)}.csv`,
    ...(await audit.export(query)),
  }))
  mount(app, restoreVersion, async ({ params }, context) => {
    const event = await audit.restore(params.id, context)
    return { message: `The version of ${event.at} is back.` }
  })
}

function toAuditEvent(row: AuditRow): AuditEvent {
  const parsed = (text: string | null) =>
    text === null ? null : (JSON.parse(text) as Record<string, unknown>)
  return {
    ...row,
    before: parsed(row.before),
    after: parsed(row.after),
    can_restore: canRestore(row),
  }
}
