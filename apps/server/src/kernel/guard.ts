import type { IncomingHttpHeaders } from 'node:http'
import { downloadLog, type Access } from '@gatehouse/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from './app-error.ts'
import { refuseWithout, type Caller, type TokenCall } from './caller.ts'
import { addressOf } from './http/client-address.ts'
import { readDownloadCookie } from './http/download-cookie.ts'

/** Finds out who calls; undefined for what is unknown, ended or expired. */
interface Authentication {
  bySession(token: string): Promise<Caller | undefined>
  /** Asked only for routes that open to personal tokens. */
  byPersonalToken(token: string, call: TokenCall): Promise<Caller | undefined>
  /** Asked for tokens of programs, which open the routes that need a permission. */
  byAdminToken(token: string): Promise<Caller | undefined>
  byDownloadCookie(value: string): Promise<Caller | undefined>
  /**
   * Throws unless the session is still open, or the token still valid, and its user still holds
   * `caller.access`. Brings `caller` up to date in place.
   */
  again(caller: Caller): Promise<void>
}

/** For how long a check of a personal token counts. */
const freshMs = 1_000

/**
 * The one place that admits calls. Deny by default: a route that does not declare who may call it
 * stops the start, and nothing of a request's body is read before its caller is known. A body may take
 * a minute to arrive: where it came later than its head, its caller is checked again once it is there. Changes check a third time, in
 * their transaction (`InTransaction`).
 */
export function installGuard(app: FastifyInstance, authentication: Authentication): void {
  /** Their bodies were there when their callers were judged. */
  const judgedWhole = new WeakSet<FastifyRequest>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`${String(method)} ${url} declares no access.`)
    if (config.hasDownloadCookie && url !== downloadLog.path)
      throw new Error(`${String(method)} ${url}: the download cookie opens nothing else.`)
  })

  app.addHook('onRequest', async (request) => {
    refuseOtherOrigins(request.method, request.headers)
    const access = request.routeOptions.config.access
    // No access: no route matched, and the not-found handler answers.
    if (!access || access === 'public') return
    const caller = await callerOf(request, authentication)
    if (!caller) throw new AppError('session.unauthenticated')
    // A permission is for administrators: what a token opens is decided by access (spec: machine-calls).
    caller.access = caller.tokenId === undefined ? access : 'session'
    request.caller = caller
    if (request.raw.complete) judgedWhole.add(request)
    if (caller.adminToken) refuseOwnAffairs(access)
    refuseWithout(caller, caller.access)
  })

  app.addHook('preValidation', async (request, { elapsedTime }) => {
    const { caller, body } = request
    if (!caller || body === undefined || judgedWhole.has(request)) return
    // Machines call often, and their bodies arrive at once. The transaction of the change checks anyway.
    if (caller.tokenId !== undefined && elapsedTime < freshMs) return
    await authentication.again(caller)
  })
}

/** A token of a program opens what needs a permission: sessions, passwords and tokens are a person's own. */
function refuseOwnAffairs(access: Access): void {
  if (access === 'session')
    throw new AppError('permission.denied', {
      message: 'This call needs a person who is signed in.',
    })
}

/** The Authorization header decides. The cookie counts only on its route, and only without that header. */
async function callerOf(
  request: FastifyRequest,
  authentication: Authentication,
): Promise<Caller | undefined> {
  const { headers, routeOptions } = request
  if (headers.authorization !== undefined) {
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.authorization)?.[1]
    if (!token) return undefined
    if (token.startsWith('gha_')) return authentication.byAdminToken(token)
    if (!routeOptions.config.opensToTokens) return authentication.bySession(token)
    const holder = await authentication.byPersonalToken(token, tokenCallOf(request))
    return holder ?? authentication.bySession(token)
  }
  if (!routeOptions.config.hasDownloadCookie || !comesFromOurPage(headers)) return undefined
  const value = readDownloadCookie(headers.cookie)
  return value ? authentication.byDownloadCookie(value) : undefined
}

function tokenCallOf({ method, params, ip }: FastifyRequest): TokenCall {
  const { slug } = params as { slug?: string }
  return { method, slug, address: addressOf(ip) }
}

/**
 * The browser reports that the request comes from our own page or from the address bar. Cookies and `SameSite`
 * ignore ports, so without this report another service on this host may have caused the request. Over plain HTTP
 * browsers report it to loopback only; elsewhere the dashboard fetches the file with a header.
 */
function comesFromOurPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === 'same-origin' || site === 'none'
}

/** Browsers name the page that makes a request; ours is served from the very host it calls. */
function refuseOtherOrigins(method: string, headers: IncomingHttpHeaders): void {
  if (method === 'GET' || method === 'HEAD' || headers.origin === undefined) return
  if (URL.parse(headers.origin)?.host !== headers.host?.toLowerCase())
    throw new AppError('request.wrong_origin')
}
