import { listDocumentRegisters, listDocuments, showDocument } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toLongPage } from '../../kernel/to-page.ts'
import { toDocumentRecord, type DocumentService } from './document-service.ts'

export function documentRoutes(app: FastifyInstance, documents: DocumentService): void {
  mount(app, listDocuments, async ({ query }) =>
    toLongPage(await documents.list(query), query, toDocumentRecord),
  )
  mount(app, listDocumentRegisters, async (_request, { caller }) => ({
    registers: await documents.listRegisters(caller),
  }))
  mount(app, showDocument, ({ params }) => documents.show(params.id))
}
