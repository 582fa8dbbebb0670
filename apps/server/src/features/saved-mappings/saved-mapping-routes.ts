import {
  createSavedMapping,
  deleteSavedMapping,
  listSavedMappings,
  showSavedMapping,
  updateSavedMapping,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { SavedMappingService } from './saved-mapping-service.ts'

export function savedMappingRoutes(app: FastifyInstance, service: SavedMappingService): void {
  mount(app, listSavedMappings, async ({ query }) =>
    toPage(await service.list(query), query, (mapping) => mapping),
  )
  mount(app, showSavedMapping, async ({ params }) => ({ mapping: await service.get(params.id) }))
  mount(app, createSavedMapping, async ({ body }, context) => ({
    mapping: await service.create(body, context),
  }))
  mount(app, updateSavedMapping, async ({ params, body }, context) => ({
    mapping: await service.update(params.id, body, context),
  }))
  mount(app, deleteSavedMapping, ({ params }, context) => service.remove(params.id, context))
}
