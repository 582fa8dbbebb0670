import type { FastifyInstance } from 'fastify'
import { documentRoutes } from './document-routes.ts'
import { DocumentService } from './document-service.ts'
import type { DocumentHistoryStore } from './document-history-store.ts'

/** `longReads` reads on a connection for long queries. */
export function createDocuments(longReads: DocumentHistoryStore) {
  const service = new DocumentService(longReads)
  return { service, mountOn: (app: FastifyInstance) => documentRoutes(app, service) }
}
