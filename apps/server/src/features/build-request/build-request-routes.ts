import {
  buildRequestForm,
  creditForm,
  getData,
  prepareData,
  taxForm,
  type EndpointOption,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { BuildRequestService } from './build-request-service.ts'

export function buildRequestRoutes(app: FastifyInstance, buildRequests: BuildRequestService): void {
  for (const form of [buildRequestForm, taxForm, creditForm]) {
    mount(
      app,
      form,
      async ({ query }, context) =>
        [await buildRequests.listOptions(query, context)] as [EndpointOption[]],
    )
  }
  mount(app, getData, ({ query }, context) => buildRequests.fetch(query, context))
  mount(app, prepareData, ({ body }, context) => buildRequests.send(body, context))
}
