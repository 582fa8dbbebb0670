import type { WireMethod } from '@gatehouse/contract'
import { tryItShownBytes, type TryItAnswer } from '@gatehouse/contract'
import { endpointUrl, mask } from '@gatehouse/upstream'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor, Caller } from '../../kernel/caller.ts'
import type { GatewayLink } from '../../publishing/gateway-link.ts'
import { sendThroughGateway } from './send-through-gateway.ts'

interface TriedEndpoint {
  method: WireMethod
  context: string
  path: string
}

export interface TryItServiceOptions {
  /** Undefined: this server runs no gateway. */
  gateway: GatewayLink | undefined
  /** Throws where there is none. */
  getEndpoint: (id: number) => Promise<TriedEndpoint>
  mayCall: (id: number, caller: Caller) => Promise<boolean>
  /** What the calls of an endpoint carry: an upstream may send it back. */
  secretsOf: (id: number) => Promise<string[]>
  /** A token that the caller may try endpoints with. Throws where there is none. */
  tokenToTry: (id: number, actor: Actor) => Promise<TriedToken>
  record: (
    actor: Actor,
    endpoint: { id: number; name: string },
    token: TriedToken | undefined,
  ) => Promise<unknown>
}

export interface TriedToken {
  id: number
  name: string
  user_name: string
  /** The last characters of its text. */
  ending: string
}

interface TryItInput {
  params: Record<string, string>
  query: string
  headers: string
  body: string
  token: string
  as_token: number | null
}

/** Headers that decide where a request ends, who asks and from where: the user can't set them. */
const fixedHeaders =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|authorization|forwarded|via|x-real-ip|x-request-id|x-forwarded-.*|x-gatehouse-.*)$/i

/** Sends a request through the gateway's own port, with a trace of what each stage made of it. */
export class TryItService {
  readonly #options: TryItServiceOptions

  constructor(options: TryItServiceOptions) {
    this.#options = options
  }

  async send(
    id: number,
    input: TryItInput,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<TryItAnswer> {
    const { gateway, getEndpoint, mayCall, secretsOf } = this.#options
    const endpoint = await getEndpoint(id)
    if (!(await mayCall(id, actor.caller))) throw new AppError('access.denied')
    if (!gateway) throw new AppError('gateway.absent')
    const url = urlOf(gateway, endpoint, input)
    const hasBody = input.body !== '' && endpoint.method !== 'GET'
    const typed = headersOf(input, hasBody)
    const token = await this.#admit({ ...endpoint, id }, input, actor)
    const { method } = endpoint
    const as = token && { tokenId: token.id, method, target: url.pathname + url.search }
    const { header, trace } = gateway.startTrace(id, as)
    const body = hasBody ? input.body : ''
    const began = performance.now()
    const request = { method, url, headers: [...typed, header], body }
    const answer = await sendThroughGateway(request, tryItShownBytes, signal).catch(
      (error: unknown) => {
        throw new AppError('gateway.silent', { cause: error })
      },
    )
    const traced = await trace
    // Read after the call, which may have obtained a token.
    const secrets = await secretsOf(id)
    const clean = (text: string) => mask(text, secrets)
    return {
      request: { method, url: url.href },
      answer: {
        status: answer.status,
        headers: answer.headers.map(([name, value]) => [name, clean(value)] as [string, string]),
        body: clean(answer.body),
        body_bytes: answer.bodyBytes,
        is_whole: answer.isWhole,
      },
      took_ms: Math.round((performance.now() - began) * 1_000) / 1_000,
      request_id: traced?.request_id ?? null,
      trace: traced
        ? {
            revision: traced.revision,
            took_ms: traced.took_ms,
            stages: traced.stages.map((stage) => ({ ...stage, code: stage.code ?? null })),
          }
        : null,
    }
  }

  /** The token that the gateway is to take the request as one of, and the record of the try. */
  async #admit(
    { id, method, context, path }: TriedEndpoint & { id: number },
    { as_token, token: shown }: TryItInput,
    actor: Actor,
  ): Promise<TriedToken | undefined> {
    const { tokenToTry, record } = this.#options
    if (as_token !== null && shown !== '')
      throw fieldError({ token: ['Leave this blank to try it as a chosen client.'] })
    const token = as_token === null ? undefined : await tokenToTry(as_token, actor)
    await record(actor, { id, name: `${method} /${context}${path}` }, token)
    return token
  }
}

function urlOf(gateway: GatewayLink, endpoint: TriedEndpoint, { params, query }: TryItInput): URL {
  const { address, port } = gateway.address
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  const scheme = new URL(gateway.url).protocol
  const target = endpointUrl({
    baseUrl: `${scheme}//${host.includes(':') ? `[${host}]` : host}:${port}/${endpoint.context}`,
    path: endpoint.path,
    fields: params,
  })
  if (!target.ok) {
    const names = target.missing.map((name) => [
      `params.${name}`,
      ['This parameter needs a value.'],
    ])
    throw fieldError(names.length > 0 ? Object.fromEntries(names) : { params: [target.message] })
  }
  target.url.search = query
  return target.url
}

function headersOf({ headers, token }: TryItInput, hasBody: boolean): [string, string][] {
  const typed = headers
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
  const fixed = typed.find(([name]) => fixedHeaders.test(name))?.[0]
  if (fixed) throw fieldError({ headers: [`The header ${fixed} is set by Gatehouse.`] })
  const names = new Set(typed.map(([name]) => name.toLowerCase()))
  return [
    ...typed,
    ...(names.has('accept') ? [] : [['accept', '*/*'] as [string, string]]),
    ...(hasBody && !names.has('content-type')
      ? [['content-type', 'application/json'] as [string, string]]
      : []),
    ...(token === '' ? [] : [['authorization', `Bearer ${token}`] as [string, string]]),
  ]
}
