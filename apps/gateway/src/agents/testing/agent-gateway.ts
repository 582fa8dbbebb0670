import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import type { Answering } from '@gatehouse/http1/testing/open-upstream'
import { snapshotTool } from '@gatehouse/contract/gateway'
import type {
  ConfigSnapshot,
  SnapshotApi,
  SnapshotEndpoint,
  SnapshotTool,
} from '@gatehouse/contract/gateway'
import type { GatewayOptions } from '../../gateway.ts'
import {
  buildApi,
  buildEndpoint,
  buildSnapshot,
  clientToken,
} from '../../testing/build-snapshot.ts'
import { startGateway } from '../../testing/test-gateway.ts'
import { metaKeys, modernRevision } from '../protocol.ts'

type Parameter = SnapshotTool['parameters'][number]

export const buildTool = (parts: Partial<SnapshotTool> = {}): SnapshotTool =>
  snapshotTool.parse({
    name: 'sales_orders',
    title: 'Orders',
    description: 'The orders.',
    effect: 'read',
    parameters: [],
    body: null,
    defs: '',
    answer_schema: '',
    asked_by: null,
    ...parts,
  })

export const parameter = (
  place: Parameter['in'],
  name: string,
  parts: Partial<Parameter> & { schema?: string } = {},
): Parameter => ({
  argument: name,
  in: place,
  name,
  is_required: false,
  schema: '{"type":"string"}',
  ...parts,
})

export const jsonBody = { is_required: false, content_type: 'application/json', schema: '{}' }

interface Given {
  api?: Partial<SnapshotApi>
  endpoints?: readonly Partial<SnapshotEndpoint>[]
  answer?: Answering
  snapshot?: Partial<ConfigSnapshot>
  options?: Partial<GatewayOptions>
}

/** A gateway whose API `sales` is offered to agents, in front of an upstream that writes down what reached it. */
export async function startAgentGateway(given: Given = {}) {
  const upstream = await startRecordingUpstream(given.answer)
  const endpoints = (given.endpoints ?? [{ tool: buildTool() }]).map((each, at) =>
    buildEndpoint({ id: at + 1, ...each }),
  )
  const snapshot = buildSnapshot({
    apis: [buildApi({ base_url: upstream.url, offer_to_agents: true, ...given.api })],
    endpoints,
    access: [{ role_id: 2, endpoint_ids: endpoints.map(({ id }) => id) }],
    ...given.snapshot,
  })
  const gateway = await startGateway(snapshot, given.options)
  return { gateway, upstream, snapshot, ...agentOf(gateway.url) }
}

interface Asked {
  path?: string
  method?: string
  token?: string | null
  headers?: Record<string, string>
}

export interface Answered {
  status: number
  headers: Headers
  text: string
  /** The message, where it is one. */
  body: { result?: ToolResult; error?: { code: number; message: string; data?: unknown } }
}

interface ToolResult {
  content: { type: string; text?: string; data?: string; mimeType?: string; resource?: object }[]
  structuredContent?: unknown
  isError?: boolean
  tools: { name: string; inputSchema: object }[]
  nextCursor?: string
}

/** Sends messages as a client of agents does. */
function agentOf(url: string) {
  async function post(body: string, asked: Asked = {}): Promise<Answered> {
    const { path = '/mcp', method = 'POST', token = clientToken, headers = {} } = asked
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true && text !== ''
    const parsed = isJson ? (JSON.parse(text) as Answered['body']) : {}
    return { status: answer.status, headers: answer.headers, text, body: parsed }
  }
  const send = (method: string, params: object = {}, asked?: Asked) =>
    post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), asked)
  /** The same by the later revision. */
  const sendModern = (method: string, params: object = {}, asked: Asked = {}) => {
    const { name } = params as { name?: string }
    return send(
      method,
      { ...params, _meta: modernMeta },
      {
        ...asked,
        headers: {
          'mcp-protocol-version': modernRevision,
          'mcp-method': method,
          ...(name === undefined ? {} : { 'mcp-name': name }),
          ...asked.headers,
        },
      },
    )
  }
  async function list(asked?: Asked): Promise<string[]> {
    const { body } = await send('tools/list', {}, asked)
    return body.result?.tools.map(({ name }) => name) ?? []
  }
  async function call(name: string, given: object = {}, asked?: Asked): Promise<ToolResult> {
    const { body, text } = await send('tools/call', { name, arguments: given }, asked)
    if (body.result === undefined) throw new Error(text)
    return body.result
  }
  return { post, send, sendModern, list, call }
}

export const modernMeta = {
  [metaKeys.version]: modernRevision,
  [metaKeys.client]: { name: 'test client', version: '1' },
  [metaKeys.capabilities]: {},
}

export const textsOf = ({ content }: ToolResult) => content.map(({ text }) => text ?? '').join('\n')
