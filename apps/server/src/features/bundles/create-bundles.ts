import { previewCredit, previewTax, sendCredit, sendTax } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { ArchivedRuns } from '../runs/ledger/reading/archived-runs.ts'
import type { RunHistoryStore } from '../runs/history/run-history-store.ts'
import { BundlePreviewer } from './bundle-preview.ts'
import {
  BundleService,
  readCreditBundle,
  readTaxBundle,
  type BundleServiceOptions,
} from './bundle-service.ts'

interface BundlesOptions extends BundleServiceOptions {
  history: RunHistoryStore
  archived: ArchivedRuns
}

/** Wires tax and credit bundles, which are sent as runs. */
export function createBundles({ history, archived, ...options }: BundlesOptions) {
  const service = new BundleService(options)
  const previewer = new BundlePreviewer(service, history, archived)
  return {
    service,
    mountOn: (app: FastifyInstance) => {
      mount(app, sendTax, ({ body }, context) => service.send(readTaxBundle(body), context))
      mount(app, previewTax, ({ body }, context) => previewer.preview(readTaxBundle(body), context))
      mount(app, sendCredit, ({ body }, context) => service.send(readCreditBundle(body), context))
      mount(app, previewCredit, ({ body }, context) =>
        previewer.preview(readCreditBundle(body), context),
      )
    },
  }
}
