import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { AuthorityState } from './authority-state.ts'
import { isClientKnown } from './client-check.ts'

/**
 * Stands in for an authority. `/token` is a token endpoint (RFC 6749), `/login` a login with JSON or a form,
 * `/api/…` an API that wants `Authorization: Bearer` with a token that lives, and answers what it received.
 * `/control` changes the settings (POST), returns the counts (GET), ends every token (DELETE) and begins
 * again (PUT).
 */
export function createAuthorityServer(): Server {
  let state = new AuthorityState()
  return createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (request.url === '/control' && request.method === 'PUT') state = new AuthorityState()
    answer(state, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
}

async function answer(state: AuthorityState, request: IncomingMessage, response: ServerResponse) {
  const body = await text(request)
  const path = new URL(request.url ?? '/', 'http://authority').pathname
  if (path === '/control') return control(state, request.method, body, response)
  if (path === '/token') return state.during(() => token(state, request, body, response))
  if (path === '/login') return state.during(() => login(state, body, response))
  return callApi(state, request, body, response)
}

function control(
  state: AuthorityState,
  method: string | undefined,
  body: string,
  response: ServerResponse,
) {
  if (method === 'DELETE') state.revokeAll()
  if (method === 'POST') state.settings = { ...state.settings, ...JSON.parse(body) }
  json(response, 200, state.counts)
}

function callApi(
  state: AuthorityState,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
) {
  const shown = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!state.lives(shown)) {
    state.counts.refusedCalls += 1
    return json(response, 401, { message: 'Unauthenticated.' })
  }
  state.counts.calls += 1
  const { authorization: _, ...headers } = request.headers
  return json(response, 200, { ok: true, path: request.url, headers, received: body })
}

async function token(
  state: AuthorityState,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
) {
  const form = new URLSearchParams(body)
  if (await misbehave(state, response)) return
  if (!isClientKnown(state.settings, request, form)) {
    return refuse(state, response, 401, { error: 'invalid_client' })
  }
  if (state.settings.mode === 'refuse') {
    return refuse(state, response, 400, { error: 'invalid_grant' })
  }
  let refreshToken: string | undefined
  if (form.get('grant_type') === 'refresh_token') {
    const shown = form.get('refresh_token') ?? ''
    refreshToken = state.refresh(shown)
    if (refreshToken === undefined) return refuse(state, response, 400, { error: 'invalid_grant' })
    if (refreshToken === shown) refreshToken = undefined
  }
  const access_token = state.issue()
  if (state.settings.mode === 'drop') return response.destroy()
  const { expiresIn } = state.settings
  return json(response, 200, {
    access_token,
    token_type: 'Bearer',
    scope: form.get('scope') ?? 'all',
    ...(expiresIn === null ? {} : { expires_in: expiresIn }),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  })
}

async function login(state: AuthorityState, body: string, response: ServerResponse) {
  if (await misbehave(state, response)) return
  if (state.settings.mode === 'refuse' || !body.includes(state.settings.password)) {
    return refuse(state, response, 401, { message: 'Wrong user or password.' })
  }
  const issued = state.issue()
  if (state.settings.mode === 'drop') return response.destroy()
  const { expiresIn } = state.settings
  return json(response, 200, {
    data: { token: issued, ...(expiresIn === null ? {} : { expires: expiresIn }) },
  })
}

/** Modes in which the answer does not depend on what was sent. True: it is on its way, or never is. */
async function misbehave(state: AuthorityState, response: ServerResponse): Promise<boolean> {
  const { mode, raw, status, retryAfter, delayMs } = state.settings
  if (delayMs > 0) await sleep(delayMs)
  switch (mode) {
    case 'silent':
      return true
    case 'error_inside':
      state.counts.refusals += 1
      json(response, 200, { error: 'temporarily_unavailable', error_description: 'planted-words' })
      return true
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>planted-words</html>')
      return true
    case 'redirect':
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
      return true
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' })
      sendForever(response)
      return true
    case 'raw':
      if (retryAfter !== '') response.setHeader('retry-after', retryAfter)
      response.writeHead(status, { 'content-type': 'application/json' }).end(raw)
      return true
    case 'issue':
    case 'refuse':
    case 'drop':
    default:
      return false
  }
}

const hugeBytes = 64 * 1024 * 1024

function sendForever(response: ServerResponse) {
  const chunk = Buffer.alloc(65_536, ' ')
  let sentBytes = 0
  const more = () => {
    while (sentBytes < hugeBytes && !response.destroyed) {
      sentBytes += chunk.length
      if (!response.write(chunk)) {
        response.once('drain', more)
        return
      }
    }
    response.end()
  }
  more()
}

function refuse(state: AuthorityState, response: ServerResponse, status: number, body: object) {
  state.counts.refusals += 1
  json(response, status, body)
}

function json(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
