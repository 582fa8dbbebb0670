import { runStatusTool, type WorkflowTool } from '@gatehouse/contract/gateway'
import { readFileSync } from 'node:fs'
import type { Exchange } from '../exchange/exchange.ts'
import type { AgentRequest } from '../exchange/agent-request.ts'
import { isShown } from './may-use.ts'
import { earlierRevision, metaKeys, modernRevision, rpcCodes } from './protocol.ts'
import type { RpcError } from './protocol.ts'
import type { AgentMessage } from './read-message.ts'

const pageMax = 100
/** A page ends before it is larger, but holds one tool at least. */
const pageCharactersMax = 1024 * 1024

const packageFile = new URL('../../../../package.json', import.meta.url)
let known: { name: string; title: string; version: string } | undefined

/** What the product calls itself. */
function serverInfo() {
  if (known === undefined) {
    const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
    known = { name: 'gatehouse', title: 'Gatehouse', version }
  }
  return known
}

const instructions =
  'Each tool is an endpoint of an API, within the access of your token. What a tool answers is data of that API.'

/** The result of a request that calls no tool, as JSON, or why there is none. */
export function answerRequest(
  exchange: Exchange,
  agent: AgentRequest,
  { method, revision, params }: AgentMessage,
  /** Tools beside those of endpoints. */
  workflows: readonly WorkflowTool[] = [],
): string | RpcError {
  const isModern = revision === modernRevision
  if (method === 'tools/list') {
    const own = withStatus(exchange, agent, workflows)
    const shown = shownTools(exchange, agent, own)
    return listTools(shown, params['cursor'], isModern)
  }
  const empty = emptyLists.get(method)
  // What a tool has left to be read is named by its result alone.
  if (empty !== undefined) return `{${empty}${isModern ? `,${notKept},${modernFields()}` : ''}}`
  if (isModern) return method === 'server/discover' ? discovered() : unknownMethod(method)
  if (method === 'ping') return '{}'
  return method === 'initialize' ? initialized() : unknownMethod(method)
}

const emptyLists: ReadonlyMap<string, string> = new Map([
  ['resources/list', '"resources":[]'],
  ['resources/templates/list', '"resourceTemplates":[]'],
])

const unknownMethod = (method: string): RpcError => ({
  code: rpcCodes.methodNotFound,
  message: `There is no method ${method.slice(0, 100)} here.`,
})

const capabilities = { tools: {}, resources: {} }
/** Told by `subscriptions/listen`, which the earlier revision does not have. */
const modernCapabilities = { tools: { listChanged: true }, resources: {} }

const initialized = (): string =>
  JSON.stringify({
    protocolVersion: earlierRevision,
    capabilities,
    serverInfo: serverInfo(),
    instructions,
  })

/** Not kept by clients: who may call what changes at any time. */
export const notKept = '"ttlMs":0,"cacheScope":"private"'

/** What names the product in `_meta`, as JSON without the braces. */
export const serverField = (): string =>
  `${JSON.stringify(metaKeys.server)}:${JSON.stringify(serverInfo())}`

/** What each result of the later revision carries, as JSON without the braces. */
export const modernFields = (): string => `"resultType":"complete","_meta":{${serverField()}}`

const discovered = (): string =>
  `${JSON.stringify({ supportedVersions: [modernRevision], capabilities: modernCapabilities, instructions }).slice(0, -1)},${notKept},${modernFields()}}`

/** An agent whose calls wait for a release asks what became of them. */
function withStatus(
  { snapshot }: Exchange,
  agent: AgentRequest,
  workflows: readonly WorkflowTool[],
): readonly WorkflowTool[] {
  const isThere = workflows.some(({ name }) => name === runStatusTool.name)
  if (isThere || agent.caller.tokenId === null) return workflows
  const { released } = snapshot.parts.tools
  return released.some((tool) => isShown(agent, tool)) ? [...workflows, runStatusTool] : workflows
}

/** By name. An endpoint's tool goes before a workflow's of the same name. */
function* shownTools(
  { snapshot }: Exchange,
  agent: AgentRequest,
  workflows: readonly WorkflowTool[],
): Generator<WorkflowTool> {
  const { tools } = snapshot.parts
  const left = workflows
    .filter(({ name }) => tools.find(name) === undefined)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  for (const tool of tools.sorted) {
    while (left[0] !== undefined && left[0].name < tool.name) yield left.shift()!
    if (isShown(agent, tool)) yield tool
  }
  yield* left
}

function listTools(
  shown: Iterable<WorkflowTool>,
  cursor: unknown,
  isModern: boolean,
): string | RpcError {
  const after = cursor === undefined ? '' : nameIn(cursor)
  if (after === undefined)
    return { code: rpcCodes.invalidParams, message: 'This cursor is none of ours.' }
  const page: string[] = []
  let characters = 0
  let last = ''
  let next = ''
  for (const tool of shown) {
    if (tool.name <= after) continue
    const { listed } = tool
    if (
      page.length === pageMax ||
      (page.length > 0 && characters + listed.length > pageCharactersMax)
    ) {
      next = `,"nextCursor":"${Buffer.from(last).toString('base64url')}"`
      break
    }
    page.push(listed)
    characters += listed.length
    last = tool.name
  }
  return `{"tools":[${page.join()}]${next}${isModern ? `,${notKept},${modernFields()}` : ''}}`
}

/** A cursor is the name of the last tool before it. */
function nameIn(cursor: unknown): string | undefined {
  if (typeof cursor !== 'string') return undefined
  const name = Buffer.from(cursor, 'base64url').toString('latin1')
  return /^[a-z0-9_]{1,80}$/.test(name) ? name : undefined
}
