import type { FastifyInstance } from 'fastify'
import { InvitationService, type InvitationOptions } from './invitation-service.ts'
import { PasswordLinkService } from './password-link-service.ts'
import { passwordLinkRoutes } from './password-link-routes.ts'
import { PasswordResetService, type PasswordResetOptions } from './password-reset-service.ts'

/** Wires what users do with links by e-mail: choosing a password that they forgot, or have not chosen yet. */
export function createPasswordLinks(options: PasswordResetOptions & InvitationOptions) {
  const links = new PasswordLinkService(options)
  const resets = new PasswordResetService(options)
  const invitations = new InvitationService(options)
  return {
    invitations,
    mountOn: (app: FastifyInstance) => {
      passwordLinkRoutes(app, { links, resets, invitations })
      app.addHook('onClose', () => resets.stop())
    },
  }
}
