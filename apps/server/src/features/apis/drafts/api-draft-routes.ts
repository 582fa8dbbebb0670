import { discardApiDraft, findApiDraft, publishApiDraft, saveApiDraft } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../kernel/mount.ts'
import { toApiRecord } from '../api-routes.ts'
import type { ApiDraftService } from './api-draft-service.ts'

export function apiDraftRoutes(app: FastifyInstance, drafts: ApiDraftService): void {
  mount(app, findApiDraft, async ({ params }) => ({ draft: await drafts.find(params.id) }))
  mount(app, saveApiDraft, async ({ params, body }, context) => {
    const { draft_tokens: tokenIds, draft_version: version, ...definition } = body
    return { draft: await drafts.save(params.id, { definition, tokenIds, version }, context) }
  })
  mount(app, publishApiDraft, async ({ params, body }, context) =>
    toApiRecord(await drafts.publish(params.id, body.draft_version, context)),
  )
  mount(app, discardApiDraft, ({ params }, context) => drafts.discard(params.id, context))
}
