import type { FastifyInstance } from 'fastify'
import type { Publisher } from '../../publishing/publisher.ts'

type Published = Pick<Publisher, 'refusedRevision' | 'faults' | 'unheardMs'>

/** What was last seen of a hold after a restore. */
export interface Holding {
  readonly hold: { backup_made_at: string } | undefined
}

interface HealthOptions {
  version: string
  /** See `GATEWAY_STALE_AFTER`. */
  staleAfterMs: number | null
}

/**
 * `GET /readyz`: 503 where the database was silent for longer than it may be, so that changes of other servers
 * may not have arrived; otherwise 200.
 *
 * `GET /healthz`: 200 while the admin API answers, for load balancers. `status` is `ok` while the gateway runs
 * on what is stored and nothing is held; otherwise it is `degraded`, and `reasons` say why without names.
 */
export function healthRoutes(
  app: FastifyInstance,
  published: Published,
  holding: Holding,
  { version, staleAfterMs }: HealthOptions,
): void {
  app.get('/readyz', { config: { access: 'public' }, schema: { hide: true } }, async (_, reply) => {
    const isStale = staleAfterMs !== null && published.unheardMs > staleAfterMs
    if (!isStale) return { status: 'ok', version }
    const seconds = Math.floor(published.unheardMs / 1_000)
    const reasons = [`The database has not answered for ${seconds} seconds.`]
    return reply.code(503).send({ status: 'stale', version, reasons })
  })

  app.get('/healthz', { config: { access: 'public' }, schema: { hide: true } }, async () => {
    const reasons = [...reasonsOf(published), ...reasonsOfHold(holding)]
    return reasons.length === 0
      ? { status: 'ok', version }
      : { status: 'degraded', version, reasons }
  })
}

function reasonsOf({ refusedRevision, faults }: Published): string[] {
  const reasons: string[] = []
  if (refusedRevision === 0) reasons.push('The configuration could not be read from the database.')
  else if (refusedRevision !== undefined)
    reasons.push(`Configuration ${refusedRevision} is not in force.`)
  const isolated = new Set(faults.map(({ api_id }) => api_id)).size
  if (isolated === 1) reasons.push('1 API can’t be read in whole and is not served in whole.')
  else if (isolated > 1)
    reasons.push(`${isolated} APIs can’t be read in whole and are not served in whole.`)
  return reasons
}

const reasonsOfHold = ({ hold }: Holding) =>
  hold === undefined
    ? []
    : [`held: restored from a backup of ${hold.backup_made_at}, and not released yet.`]
