import {
  exportAudit,
  listAudit,
  previewRestore,
  restoreVersion,
  type AuditEvent,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import { toLongPage } from '../../kernel/to-page.ts'
import { canRestore, type AuditService } from './audit-service.ts'
import type { AuditRow } from './audit-store.ts'

export function auditRoutes(app: FastifyInstance, audit: AuditService, clock: Clock): void {
  mount(app, listAudit, async ({ query }) =>
    toLongPage(await audit.list(query), query, toAuditEvent),
  )
  mount(app, exportAudit, async ({ query }) => {
    const filename = `audit-${clock.now().toISOString().slice(0, 10)}.csv`
    return { type: exportAudit.answers, body: toJson(filename, audit.export(query)) }
  })
  mount(app, previewRestore, ({ params }, { caller }) => audit.previewRestore(params.id, caller))
  mount(app, restoreVersion, async ({ params }, context) => {
    const event = await audit.restore(params.id, context)
    return { message: `The version of ${event.at} is back.` }
  })
}

/** An `AuditExport` as JSON, streamed because the text of `csv` is long. */
async function* toJson(
  filename: string,
  pieces: AsyncGenerator<string, boolean>,
): AsyncGenerator<Uint8Array> {
  // Read before anything is sent: where that fails, the answer is an error.
  let next = await pieces.next()
  yield Buffer.from(`{"filename":${JSON.stringify(filename)},"csv":"`)
  for (; !next.done; next = await pieces.next())
    yield Buffer.from(JSON.stringify(next.value).slice(1, -1))
  yield Buffer.from(`","is_complete":${next.value}}`)
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
