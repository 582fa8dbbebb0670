import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { ContractService } from './contract-service.ts'

const dueAfterMs = 3_600_000
const lookEveryMs = 300_000

/**
 * Checks each stored procedure once an hour while the server listens. Several servers share the work:
 * a procedure that one of them has checked is not due for the others.
 */
export function watchForDrift(
  app: FastifyInstance,
  contracts: ContractService,
  clock: Clock,
  log: Logger,
): void {
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  const look = () => {
    looking = contracts
      .checkDue(new Date(clock.now().getTime() - dueAfterMs))
      .catch((error: unknown) => log.error({ err: error }, 'the check of procedures failed'))
  }
  app.addHook('onListen', async () => {
    timer = setInterval(look, lookEveryMs).unref()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await looking
    await contracts.settle()
  })
}
