import type { FastifyInstance } from 'fastify'
import { PasswordLinkService } from './password-link-service.ts'
import { passwordLinkRoutes } from './password-link-routes.ts'
import { PasswordResetService, type PasswordResetOptions } from './password-reset-service.ts'

/** Wires what users do with links by e-mail: choosing a password that they forgot, or have not chosen yet. */
export function createPasswordLinks(options: PasswordResetOptions) {
  const links = new PasswordLinkService(options)
  const resets = new PasswordResetService(options)
  return {
    mountOn: (app: FastifyInstance) => {
      passwordLinkRoutes(app, links, resets)
      app.addHook('onClose', () => resets.stop())
    },
  }
}
