import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { auditRoutes } from './audit-routes.ts'
import { AuditService, type Restorers } from './audit-service.ts'
import type { AuditStore } from './audit-store.ts'
import type { RefusalTrail } from './refusal-trail.ts'

interface AuditOptions {
  /** The trail, read where a long read holds up no other call. */
  longReads: AuditStore
  restorers: Restorers
  refusals: RefusalTrail
  clock: Clock
}

export function createAudit({ longReads, restorers, refusals, clock }: AuditOptions) {
  const service = new AuditService(longReads, restorers)
  return {
    service,
    /** Mounts the calls; when the app closes, the refusals counted so far are written. */
    mountOn: (app: FastifyInstance) => {
      auditRoutes(app, service, clock)
      app.addHook('onClose', () => refusals.flush())
    },
  }
}
