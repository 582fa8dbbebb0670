import { askPasswordReset, choosePassword, showPasswordLink } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { PasswordLinkService } from './password-link-service.ts'
import type { PasswordResetService } from './password-reset-service.ts'

export function passwordLinkRoutes(
  app: FastifyInstance,
  links: PasswordLinkService,
  resets: PasswordResetService,
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
}
