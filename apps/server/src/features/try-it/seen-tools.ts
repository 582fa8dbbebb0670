import { apiToolsMax, type SeenTools } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { GatewayLink } from '../../publishing/gateway-link.ts'
import { sendThroughGateway } from './send-through-gateway.ts'
import { gatewayBase } from './gateway-base.ts'

/** Of one page; the gateway ends a page at 1 MiB of tools. */
const pageBytesMax = 4 * 1024 * 1024

export interface SeenToolsOptions {
  /** Undefined: this server runs no gateway. */
  gateway: GatewayLink | undefined
  /** Throws a 404 where there is none. */
  getApi: (id: number) => Promise<{ name: string; context: string }>
  /** A role that the caller may try with. Throws where there is none. */
  roleToTry: (id: number, actor: Actor) => Promise<{ id: number; name: string }>
  record: (
    actor: Actor,
    seen: { id: number; name: string; role: { id: number; name: string } },
  ) => Promise<unknown>
}

interface Page {
  tools: SeenTools['tools']
  nextCursor?: string
}

/** Asks our own gateway for the tools of an API, as an agent with a role. */
export class SeenToolLists {
  readonly #options: SeenToolsOptions

  constructor(options: SeenToolsOptions) {
    this.#options = options
  }

  /** Recorded before it is asked. None where the gateway answers that nothing is offered there. */
  async see(apiId: number, roleId: number, actor: Actor, signal: AbortSignal): Promise<SeenTools> {
    const { gateway, getApi, roleToTry, record } = this.#options
    const { name, context } = await getApi(apiId)
    const role = await roleToTry(roleId, actor)
    if (!gateway) throw new AppError('gateway.absent')
    await record(actor, { id: apiId, name, role })
    const tools: SeenTools['tools'] = []
    let cursor: string | undefined
    do {
      const page = await askForPage({ gateway, context, roleId: role.id, cursor, signal })
      tools.push(...page.tools)
      cursor = page.nextCursor
    } while (cursor !== undefined && tools.length < apiToolsMax)
    return { tools: tools.slice(0, apiToolsMax) }
  }
}

interface Asked {
  gateway: GatewayLink
  context: string
  roleId: number
  cursor: string | undefined
  signal: AbortSignal
}

async function askForPage({ gateway, context, roleId, cursor, signal }: Asked): Promise<Page> {
  const method = 'POST'
  const url = new URL(`${gatewayBase(gateway)}/mcp/${context}`)
  const params = cursor === undefined ? {} : { cursor }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })
  // It is meant for no endpoint: a call of a tool with this header is refused.
  const { header } = gateway.startTrace(0, { roleId, method, target: url.pathname })
  const headers = [['content-type', 'application/json'] as const, header]
  const { status, body: text } = await sendThroughGateway(
    { method, url, headers, body },
    pageBytesMax,
    signal,
  ).catch((cause: unknown) => {
    throw new AppError('gateway.silent', { cause })
  })
  if (status === 404) return { tools: [] }
  return pageIn(text)
}

function pageIn(text: string): Page {
  try {
    const { result } = JSON.parse(text) as { result?: Page }
    if (Array.isArray(result?.tools)) return result
  } catch (cause) {
    throw new AppError('gateway.silent', { cause })
  }
  throw new AppError('gateway.silent')
}
