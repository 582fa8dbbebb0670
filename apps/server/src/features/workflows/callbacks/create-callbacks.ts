import { testWorkflowCallback } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import { mount } from '../../../kernel/mount.ts'
import type { InTransaction } from '../../../stores.ts'
import { BatchReporter } from './batch-reports.ts'
import { CallbackTester } from './callback-tests.ts'
import type { CallbackUrls } from './callback-urls.ts'

interface CallbacksOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  urls: CallbackUrls
  wake: () => void
}

/** Wires what reports results to receivers, beside the reports of runs: see `report-runs.ts`. */
export function createCallbacks(options: CallbacksOptions) {
  const tester = new CallbackTester(options)
  return {
    keeper: new BatchReporter(options),
    mountOn: (app: FastifyInstance) =>
      mount(app, testWorkflowCallback, ({ params }, context) => tester.send(params.id, context)),
  }
}
