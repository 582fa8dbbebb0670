import { listApiCallable, listApiRoles, listApiTokens } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { ApiAccess } from './api-access.ts'

export function apiAccessRoutes(app: FastifyInstance, access: ApiAccess): void {
  mount(app, listApiRoles, async ({ params, query }) =>
    toPage(await access.roles(params.id, query), query, (role) => role),
  )
  mount(app, listApiTokens, async ({ params, query }) =>
    toPage(await access.tokens(params.id, query), query, (token) => token),
  )
  mount(app, listApiCallable, async ({ params, query }) =>
    toPage(await access.endpoints(params.id, query), query, (endpoint) => endpoint),
  )
}
