import type { FastifyInstance } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import type { GatewayLink } from '../../publishing/gateway-link.ts'
import type { Stores } from '../../stores.ts'
import { signInRoutes } from './sign-in-routes.ts'
import type { IssuedToken } from './sign-in-target.ts'
import { SignInService, type SignInServiceOptions } from './sign-in-service.ts'
import { SignInStatus, type SignInStatusOptions } from './sign-in-status.ts'

type CreateSignInOptions = Omit<SignInServiceOptions, 'store'> &
  Pick<SignInStatusOptions, 'listTargets'> & { stores: Stores }

export function createSignIn({ stores, ...options }: CreateSignInOptions) {
  const service = new SignInService({ ...options, store: stores.signIns })
  const status = new SignInStatus({
    service,
    targetOf: options.targetOf,
    listTargets: options.listTargets,
    clock: options.clock,
    record: (actor, { apiId, which }, name, after) =>
      stores.audit.record(actor, {
        action: 'api.sign_in',
        thing: 'api',
        id: apiId,
        name,
        after: { which, ...after },
      }),
  })
  /** Workers go by the clock of the machine. */
  const toMachine = <T extends { renewAt: Date; expiresAt: Date }>(issued: T): T => {
    const { renewAt, expiresAt } = issued
    const moment = (at: Date) => options.clock.toMachine?.(at) ?? at
    return { ...issued, renewAt: moment(renewAt), expiresAt: moment(expiresAt) }
  }
  /** For gateways: a token later than `refused`, or any that lives. Throws `upstream.sign_in`. */
  const obtain = async (apiId: number, refused: number | null): Promise<IssuedToken> => {
    const place = { apiId, which: 'live' } as const
    const issued =
      refused === null ? await service.token(place) : await service.renewRefused(place, refused)
    if (!issued) throw new AppError('upstream.sign_in')
    return issued
  }
  /** The gateway's workers obtain no tokens: they ask here, and get each new one. */
  const supply = (gateway: GatewayLink | undefined) => {
    gateway?.onTokenWanted(async (apiId, refused) => toMachine(await obtain(apiId, refused)))
    service.subscribe(({ apiId, which }, issued) => {
      if (which === 'live') gateway?.setToken(apiId, toMachine(issued))
    })
  }
  return {
    service,
    status,
    obtain,
    supply,
    mountOn: (app: FastifyInstance) => signInRoutes(app, status),
  }
}
