import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { WorkflowRunStarter } from '../runs/workflow-run-starter.ts'
import { HookReceiver } from './hook-receiver.ts'
import { hookRoutes } from './hook-routes.ts'
import { HookSecrets } from './hook-secrets.ts'
import { HookService } from './hook-service.ts'

interface HooksOptions {
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  secrets: SecretBox
  starter: WorkflowRunStarter
  callerOf: (userId: number) => Promise<Caller | undefined>
}

/** Wires the webhooks by which other systems start runs. */
export function createHooks(options: HooksOptions) {
  const secrets = new HookSecrets(options.secrets)
  const service = new HookService({ ...options, secrets })
  const receiver = new HookReceiver({ ...options, secrets })
  return { mountOn: (app: FastifyInstance) => hookRoutes(app, service, receiver) }
}
