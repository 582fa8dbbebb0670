import { checkedToolsMax, type CheckedAgentToken } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { GatewayLink } from '../../publishing/gateway-link.ts'
import { gatewayBase } from './gateway-base.ts'
import { sendThroughGateway } from './send-through-gateway.ts'

const answerBytesMax = 4 * 1024 * 1024

const nothingOffered = 'No API is offered to agents.'

/**
 * Lists the tools of a token by a call of our own gateway, as the client of an agent does. Throws where this server
 * runs no gateway, or it does not answer.
 */
export async function checkAgentToken(
  gateway: GatewayLink | undefined,
  token: string,
  signal: AbortSignal,
): Promise<CheckedAgentToken> {
  if (!gateway) throw new AppError('gateway.absent')
  const none = { url: `${gateway.url}/mcp`, tools: [], has_more: false }
  // A header holds no more.
  if (!/^[\x21-\x7e]+$/.test(token)) return { ...none, problem: 'This is no token.' }
  const { status, body } = await sendThroughGateway(
    {
      method: 'POST',
      url: new URL(`${gatewayBase(gateway)}/mcp`),
      headers: [
        ['content-type', 'application/json'],
        ['authorization', `Bearer ${token}`],
      ],
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    },
    answerBytesMax,
    signal,
  ).catch((cause: unknown) => {
    throw new AppError('gateway.silent', { cause })
  })
  if (status === 404) return { ...none, problem: nothingOffered }
  const said = readAnswer(body)
  const { tools } = said.result ?? {}
  if (tools === undefined)
    return { ...none, problem: said.message ?? `The gateway answered with status ${status}.` }
  return {
    ...none,
    tools: tools.slice(0, checkedToolsMax).map(({ name }) => name),
    has_more: said.result?.nextCursor !== undefined || tools.length > checkedToolsMax,
    problem: null,
  }
}

interface Said {
  result?: { tools?: { name: string }[]; nextCursor?: string }
  /** Of a refusal. */
  message?: string
}

function readAnswer(body: string): Said {
  try {
    return JSON.parse(body) as Said
  } catch (cause) {
    throw new AppError('gateway.silent', { cause })
  }
}
