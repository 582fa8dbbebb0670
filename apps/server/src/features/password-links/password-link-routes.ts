import {
  askPasswordReset,
  choosePassword,
  inviteUser,
  showPasswordLink,
  takeInvitationBack,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { InvitationService } from './invitation-service.ts'
import type { PasswordLinkService } from './password-link-service.ts'
import type { PasswordResetService } from './password-reset-service.ts'

interface PasswordLinkParts {
  links: PasswordLinkService
  resets: PasswordResetService
  invitations: InvitationService
}

export function passwordLinkRoutes(
  app: FastifyInstance,
  { links, resets, invitations }: PasswordLinkParts,
): void {
  mount(app, askPasswordReset, async ({ body }, { address, requestId, afterAnswer }) => {
    afterAnswer(await resets.ask(body.email, { address, requestId }))
  })
  mount(app, showPasswordLink, async ({ body }) => {
    const { kind, user } = await links.show(body.token)
    return { kind, email: user.email }
  })
  mount(app, choosePassword, ({ body }, { address, requestId }) =>
    links.use(body.token, body.password, { address, requestId }),
  )
  mount(app, inviteUser, async ({ params }, context) => ({
    link: await invitations.sendAgain(params.id, context),
  }))
  mount(app, takeInvitationBack, ({ params }, context) => invitations.takeBack(params.id, context))
}
