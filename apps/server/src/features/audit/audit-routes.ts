import { exportAudit, listAudit, restoreVersion, type AuditEvent } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import { canRestore, type AuditService } from './audit-service.ts'
import type { AuditRow } from './audit-store.ts'

export function auditRoutes(app: FastifyInstance, audit: AuditService, clock: Clock): void {
  mount(app, listAudit, async ({ query }) => toPage(await audit.list(query), query, toAuditEvent))
  mount(app, exportAudit, async ({ query }) => {
    const { csv, is_complete } = await audit.export(query)
    const filename = `audit-${clock.now().toISOString().slice(0, 10)}.csv`
    return { type: exportAudit.answers, body: toJson({ filename, is_complete }, csv) }
  })
  mount(app, restoreVersion, async ({ params }, context) => {
    const event = await audit.restore(params.id, context)
    return { message: `The version of ${event.at} is back.` }
  })
}

/** A JSON object of these fields and `csv`, streamed because the text of `csv` is long. */
async function* toJson(head: object, csv: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"csv":"`)
  for await (const piece of csv) yield Buffer.from(JSON.stringify(piece).slice(1, -1))
  yield Buffer.from('"}')
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
