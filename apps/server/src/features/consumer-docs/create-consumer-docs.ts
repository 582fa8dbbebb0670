import {
  exportOpenApi,
  exportSharedOpenApi,
  listConsumerRoles,
  shareConsumerDocs,
  showConsumerDocs,
  showSharedDocs,
  unshareConsumerDocs,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount, type CallContext } from '../../kernel/mount.ts'
import { ConsumerDocsService, type ConsumerDocsOptions } from './consumer-docs-service.ts'

export function createConsumerDocs(options: ConsumerDocsOptions) {
  const service = new ConsumerDocsService(options)
  return {
    mountOn: (app: FastifyInstance) => {
      mount(app, showConsumerDocs, ({ query }, { caller }) => service.show(query, caller))
      mount(app, exportOpenApi, ({ query }, { caller }) => service.openApi(query, caller))
      mount(app, listConsumerRoles, (_, { caller }) => service.roles(caller))
      mount(app, shareConsumerDocs, async ({ params }, context) => ({
        link: await service.share(params.id, context),
      }))
      mount(app, unshareConsumerDocs, ({ params }, context) => service.unshare(params.id, context))
      mount(app, showSharedDocs, ({ body }, context) => {
        keepPrivate(context)
        return service.shared(body.link)
      })
      mount(app, exportSharedOpenApi, ({ body }, context) => {
        keepPrivate(context)
        return service.sharedOpenApi(body.link, body.format)
      })
    },
  }
}

/** What a link shows is for those who hold it: no search engine and no cache keeps it. */
function keepPrivate({ setHeader }: Pick<CallContext, 'setHeader'>): void {
  setHeader('x-robots-tag', 'noindex, nofollow')
  setHeader('cache-control', 'no-store')
}
