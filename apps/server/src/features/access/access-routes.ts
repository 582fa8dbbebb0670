import {
  accessApis,
  accessChoices,
  editAccess,
  explainEndpoint,
  explainRefusal,
  explainSubject,
  explainWorkflow,
  grantAccess,
  listAccess,
  previewAccess,
  removeAccess,
  updateAccess,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Actor } from '../../kernel/caller.ts'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { AccessService } from './access-service.ts'
import type { AccessExplainer } from './explain-access.ts'

/** `removeRole` takes a role from a user, which another feature decides on. */
export function accessRoutes(
  app: FastifyInstance,
  access: AccessService,
  explainer: AccessExplainer,
  removeRole: (userId: number, roleId: number, actor: Actor) => Promise<void>,
): void {
  mount(app, listAccess, async ({ query }) => toPage(await access.list(query), query, (row) => row))
  mount(app, editAccess, ({ params, query }, { caller }) => access.form(params.id, query, caller))
  mount(app, accessChoices, ({ params, query }) => access.choices(params.id, query))
  mount(app, accessApis, ({ params, query }) => access.apis(params.id, query.search))
  mount(app, previewAccess, ({ params, body }) => access.preview(params.id, body))
  mount(app, updateAccess, ({ params, body }, context) => access.update(params.id, body, context))
  mount(app, grantAccess, ({ body: { role_id, endpoints: ids, ...chosen } }, context) =>
    access.grant(role_id, { ...chosen, ids }, context),
  )
  mount(app, removeAccess, ({ params }, context) => removeRole(params.user, params.role, context))
  mount(app, explainEndpoint, ({ params }) => explainer.whoCanCall(params.id))
  mount(app, explainWorkflow, ({ params }) => explainer.whoCanRun(params.id))
  mount(app, explainSubject, ({ params, query }) =>
    explainer.whatCanBeCalled(params.subject, params.id, query),
  )
  mount(app, explainRefusal, ({ query }, { caller }) => explainer.refusal(query, caller))
}
