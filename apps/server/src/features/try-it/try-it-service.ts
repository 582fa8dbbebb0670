import { tryItShownBytes } from '@gatehouse/contract'
import type {
  EndpointDefinition,
  SnapshotEndpoint,
  TryInput,
  TryItAnswer,
  WireMethod,
} from '@gatehouse/contract'
import { endpointUrl, mask } from '@gatehouse/upstream'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { refuseWithout, type Actor, type Caller } from '../../kernel/caller.ts'
import type {
  GatewayLink,
  GatewayTrace,
  StartedTrace,
  TriedAs,
  TriedClient,
} from '../../publishing/gateway-link.ts'
import { gatewayBase } from './gateway-base.ts'
import { sendThroughGateway, type GatewayAnswer } from './send-through-gateway.ts'

/** Where the gateway serves it. */
interface TriedRoute {
  method: WireMethod
  context: string
  path: string
}

interface TriedEndpoint extends TriedRoute {
  apiId: number
}

/** What a save would store. */
interface CheckedEndpoint extends TriedEndpoint {
  /** With the id 0 where it is new. */
  endpoint: SnapshotEndpoint
  /** It moves to another API, and so loses the access that roles have. */
  isMoved: boolean
  /** As the audit trail keeps it, without secrets. */
  shown: object
}

/** Null: the definition of an endpoint that is new. */
type EndpointId = number | null

export interface TryItServiceOptions {
  /** Undefined: this server runs no gateway. */
  gateway: GatewayLink | undefined
  /** Throws where there is none. */
  getEndpoint: (id: number) => Promise<TriedEndpoint>
  /** Throws what a save would throw. */
  checkUnsaved: (
    definition: EndpointDefinition,
    id: EndpointId,
    actor: Actor,
  ) => Promise<CheckedEndpoint>
  mayCall: (id: number, caller: Caller) => Promise<boolean>
  /** What the calls of an API carry: an upstream may send it back. */
  secretsOf: (apiId: number) => Promise<string[]>
  /** A token that the caller may try endpoints with. Throws where there is none. */
  tokenToTry: (id: number, actor: Actor) => Promise<TriedToken>
  /** A role that the caller may try endpoints with. Throws where there is none. */
  roleToTry: (id: number, actor: Actor) => Promise<TriedRole>
  record: (actor: Actor, tried: TryRecord) => Promise<unknown>
}

/** For the audit trail. */
interface TryRecord {
  id: EndpointId
  name: string
  token: TriedToken | undefined
  role: TriedRole | undefined
  /** The definition, where it was not saved. */
  unsaved: object | undefined
  /** The API that was tried before it was saved. */
  api: TriedApi | undefined
}

interface TriedApi {
  /** Null: it is new. */
  id: number | null
  name: string
}

export interface TriedToken {
  id: number
  name: string
  user_name: string
  /** The last characters of its text. */
  ending: string
}

interface TriedRole {
  id: number
  name: string
}

/** One try, once it is known what is tried. */
export interface Trial extends TriedEndpoint {
  id: EndpointId
  unsaved?: object
  api?: TriedApi
  /** Called once the try is recorded: it may call others than the gateway. */
  start: (gateway: GatewayLink, as: TriedAs | undefined) => StartedTrial | Promise<StartedTrial>
}

interface StartedTrial extends StartedTrace {
  /** Where they are not those of the stored API. */
  secrets?: string[]
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

  async send(id: number, input: TryInput, actor: Actor, signal: AbortSignal) {
    const endpoint = await this.#options.getEndpoint(id)
    await this.refuseWithoutAccess(id, actor)
    const start: Trial['start'] = (gateway, as) => gateway.startTrace(id, as)
    return this.tryOnce({ ...endpoint, id, start }, input, actor, signal)
  }

  /**
   * With a definition that is not saved, for users who could save it and then call it. No role has access to
   * an endpoint that is new or moves to another API: that takes the permission to give it.
   */
  async sendUnsaved(
    id: EndpointId,
    { definition, ...input }: TryInput & { definition: EndpointDefinition },
    actor: Actor,
    signal: AbortSignal,
  ) {
    refuseWithout(actor.caller, 'request.send')
    if (id !== null) await this.refuseWithoutAccess(id, actor)
    const checked = await this.#options
      .checkUnsaved(definition, id, actor)
      .catch(throwUnderDefinition)
    const { endpoint, isMoved, shown } = checked
    if (id === null || isMoved) refuseWithout(actor.caller, 'api-permission.edit')
    const unsaved = {
      endpoint: isMoved ? { ...endpoint, id: 0 } : endpoint,
      replaces: id,
      api: null,
    }
    const start: Trial['start'] = (gateway, as) => gateway.startUnsavedTrace(unsaved, as)
    return this.tryOnce({ ...checked, id, unsaved: shown, start }, input, actor, signal)
  }

  async refuseWithoutAccess(id: number, { caller }: Actor): Promise<void> {
    if (!(await this.#options.mayCall(id, caller))) throw new AppError('access.denied')
  }

  /** One request through the gateway, recorded before it is sent. */
  async tryOnce(
    trial: Trial,
    input: TryInput,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<TryItAnswer> {
    const { gateway, secretsOf } = this.#options
    const { method } = trial
    if (!gateway) throw new AppError('gateway.absent')
    const url = urlOf(gateway, trial, input)
    const hasBody = input.body !== '' && method !== 'GET'
    const typed = headersOf(input, hasBody)
    const client = await this.#admit(trial, input, actor)
    const as = client && { ...client, method, target: url.pathname + url.search }
    const { header, trace, secrets } = await trial.start(gateway, as)
    const body = hasBody ? input.body : ''
    const began = performance.now()
    const request = { method, url, headers: [...typed, header], body }
    const answer = await sendThroughGateway(request, tryItShownBytes, signal).catch(
      (error: unknown) => {
        throw new AppError('gateway.silent', { cause: error })
      },
    )
    const sent = { method, url: url.href, tookMs: performance.now() - began }
    // Read after the call, which may have obtained a token.
    const traced = await trace
    return toAnswer(sent, answer, traced, secrets ?? (await secretsOf(trial.apiId)))
  }

  /** The token or role that the gateway is to take the request as one of, and the record of the try. */
  async #admit(
    { id, method, context, path, unsaved, api }: Trial,
    { as_token, as_role, token: shown }: TryInput,
    actor: Actor,
  ): Promise<TriedClient | undefined> {
    const { tokenToTry, roleToTry, record } = this.#options
    if (as_token !== null && as_role !== null)
      throw fieldError({ as_role: ['Choose a client or a role, not both.'] })
    if ((as_token !== null || as_role !== null) && shown !== '')
      throw fieldError({ token: ['Leave this blank to try it as a chosen client or role.'] })
    const token = as_token === null ? undefined : await tokenToTry(as_token, actor)
    const role = as_role === null ? undefined : await roleToTry(as_role, actor)
    await record(actor, { id, name: `${method} /${context}${path}`, token, role, unsaved, api })
    if (token) return { tokenId: token.id }
    return role && { roleId: role.id }
  }
}

/** Messages for fields of the definition, under the name that it has in this call. */
export function throwUnderDefinition(error: unknown): never {
  const fields = error instanceof AppError ? error.details.fields : undefined
  if (!fields) throw error
  const named = Object.entries(fields).map(([name, texts]) => [`definition.${name}`, texts])
  throw fieldError(Object.fromEntries(named) as typeof fields)
}

function toAnswer(
  { method, url, tookMs }: { method: string; url: string; tookMs: number },
  answer: GatewayAnswer,
  traced: GatewayTrace | undefined,
  secrets: string[],
): TryItAnswer {
  const clean = (text: string) => mask(text, secrets)
  return {
    request: { method, url },
    answer: {
      status: answer.status,
      headers: answer.headers.map(([name, value]) => [name, clean(value)] as [string, string]),
      body: clean(answer.body),
      body_bytes: answer.bodyBytes,
      is_whole: answer.isWhole,
    },
    took_ms: Math.round(tookMs * 1_000) / 1_000,
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

function urlOf(gateway: GatewayLink, endpoint: TriedRoute, { params, query }: TryInput): URL {
  const target = endpointUrl({
    baseUrl: `${gatewayBase(gateway)}/${endpoint.context}`,
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

function headersOf({ headers, token }: TryInput, hasBody: boolean): [string, string][] {
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
