import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'
import { can, type Caller } from './caller.ts'

/**
 * The one place where calls are let in. Deny by default: a route that does not say who may call it
 * stops the start, and nothing of a request's body is read before its caller is known.
 */
export function installGuard(
  app: FastifyInstance,
  authenticate: (token: string) => Promise<Caller | undefined>,
): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.access)
      throw new Error(`${String(route.method)} ${route.url} declares no access.`)
  })

  app.addHook('onRequest', async (request) => {
    refuseOtherOrigins(request.method, request.headers)
    const access = request.routeOptions.config.access
    // No access: no route matched, and the not-found handler answers.
    if (!access || access === 'public') return
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1]
    const caller = token ? await authenticate(token) : undefined
    if (!caller) throw new AppError('session.unauthenticated')
    request.caller = caller
    if (access !== 'session' && !can(caller, access)) {
      throw new AppError('permission.denied', {
        message: `You do not have permission to do this (${access}).`,
      })
    }
  })
}

/** Browsers name the page that makes a request; ours is served from the very host it calls. */
function refuseOtherOrigins(method: string, headers: IncomingHttpHeaders): void {
  if (method === 'GET' || method === 'HEAD' || headers.origin === undefined) return
  if (URL.parse(headers.origin)?.host !== headers.host?.toLowerCase())
    throw new AppError('request.wrong_origin')
}
