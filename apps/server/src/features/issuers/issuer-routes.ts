import {
  createIssuer,
  deleteIssuer,
  fetchIssuerKeys,
  issuerForm,
  listIssuers,
  showIssuer,
  updateIssuer,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import { toIssuerRecord } from './issuer-columns.ts'
import type { IssuerService } from './issuer-service.ts'

export function issuerRoutes(app: FastifyInstance, issuers: IssuerService): void {
  mount(app, listIssuers, async ({ query }) =>
    toPage(await issuers.list(query), query, toIssuerRecord),
  )
  mount(app, issuerForm, async (_, { caller }) => ({
    roles: (await issuers.listRoles(caller)).map(({ id, name }) => ({ id, name })),
  }))
  mount(app, showIssuer, async ({ params }) => ({
    issuer: toIssuerRecord(await issuers.get(params.id)),
  }))
  mount(app, createIssuer, async ({ body }, context) => ({
    issuer: toIssuerRecord(await issuers.create(body, context)),
  }))
  mount(app, updateIssuer, async ({ params, body }, context) => ({
    issuer: toIssuerRecord(await issuers.update(params.id, body, context)),
  }))
  mount(app, fetchIssuerKeys, async ({ params }, context) => ({
    issuer: toIssuerRecord(await issuers.fetchKeys(params.id, context)),
  }))
  mount(app, deleteIssuer, ({ params }, context) => issuers.remove(params.id, context))
}
