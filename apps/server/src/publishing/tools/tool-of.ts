import {
  effectOf,
  noValidation,
  wireMethods,
  type EndpointParameter,
  type EndpointValidation,
  type SnapshotTool,
} from '@gatehouse/contract'
import { statusTool } from '@gatehouse/contract/gateway'
import type { Row } from '../../db/tables.ts'
import {
  parametersOf,
  runSettingsOf,
  validationOf,
} from '../../features/endpoints/endpoint-columns.ts'
import { bodyOf } from './tool-body.ts'
import { parameterSchemas, type ToolArgument } from './tool-schemas.ts'

type Effect = SnapshotTool['effect']

/**
 * Whether it is a tool where its API is offered: what only reads unless it says no, what changes something
 * only where it says so. What answers with no body, or with a WebSocket, never is one.
 */
export function isOffered(row: Row<'endpoint'>): boolean {
  if (row.agent_offer === 'not_offered' || row.method_type === 'head' || row.web_socket !== null)
    return false
  return row.agent_offer === 'offered' || effectIn(row) === 'read'
}

/** An endpoint as the tool that the gateway offers; null: it is none, or has no name yet. Throws where it can't be read. */
export function toolOf(row: Row<'endpoint'>): SnapshotTool | null {
  if (row.tool_name === null || !isOffered(row)) return null
  const validation = validationOf(row) ?? noValidation
  const parameters = parametersOf(row)
  const schemas = parameterSchemas(validation)
  // One that nothing is held against may be wrong, and clients refuse results that do not fit it.
  // What waits for a release is answered with a run.
  const needsRelease = row.agent_release_hours !== null
  const answer = validation.mode === 'off' || needsRelease ? '' : validation.answer_schema
  const named = argumentsOf(row, parameters, validation).map(
    ({ type, description, ...argument }) => ({
      ...argument,
      schema: JSON.stringify(schemas.schemaOf({ type, description, ...argument })),
    }),
  )
  return {
    name: row.tool_name,
    title: row.summary,
    description: describe(row),
    effect: effectIn(row),
    parameters: named,
    body: bodyOf(row.method_type, parameters, validation),
    defs: schemas.defs,
    answer_schema: isOfObject(answer) ? answer : '',
    asked_by: row.status_endpoint_id,
    needs_release: needsRelease,
  }
}

const effectIn = (row: Row<'endpoint'>): Effect =>
  effectOf(runSettingsOf(row), wireMethods[row.method_type])

const effectWords: Record<Effect, string> = {
  read: 'It only reads.',
  idempotent: 'It changes data. The same call again changes nothing more.',
  submit: 'It changes data, and does so again with each call.',
}

const releaseWords = `A person has to release each call before anything of it is sent. The answer names a run; the tool ${statusTool} says what became of it.`

/** Agents choose by it: what the endpoint does, and what it changes. */
function describe(row: Row<'endpoint'>): string {
  const own = [row.summary, row.description].filter((each, at, all) => all.indexOf(each) === at)
  const waits = row.agent_release_hours === null ? '' : ` ${releaseWords}`
  return `${row.tool_description ?? own.join('\n')}\n${effectWords[effectIn(row)]}${waits}`
}

/** Clients ask for `structuredContent` where a schema is given, and that is an object. */
function isOfObject(schema: string): boolean {
  return schema !== '' && (JSON.parse(schema) as { type?: unknown }).type === 'object'
}

/** Every parameter of the path, and those that were declared beside it, by names that no other has. */
function argumentsOf(
  { path }: Row<'endpoint'>,
  parameters: readonly EndpointParameter[],
  validation: EndpointValidation,
): ToolArgument[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const declared = [...parameters, ...checkedParameters(validation)]
  const all = [
    ...inPath.map((name) => ({
      type: 'string',
      description: '',
      ...declared.find((each) => each.in === 'path' && each.name === name),
      name,
      in: 'path' as const,
      is_required: true,
    })),
    ...declared.flatMap((each) => (isArgument(each) ? [each] : [])),
  ]
  const taken = new Set(['body'])
  const seen = new Set<string>()
  return all.flatMap((each) => {
    const place = `${each.in} ${each.in === 'header' ? each.name.toLowerCase() : each.name}`
    if (seen.has(place)) return []
    seen.add(place)
    return [{ ...each, argument: freeArgument(each, taken) }]
  })
}

type DeclaredArgument = EndpointParameter & { in: 'query' | 'header' | 'form' }

const isArgument = (each: EndpointParameter): each is DeclaredArgument =>
  each.in === 'query' ||
  (each.in === 'form' && each.type !== 'file') ||
  (each.in === 'header' && !unsentHeaders.has(each.name.toLowerCase()))

/** Headers that a call of a tool never takes from its arguments (OpenAPI 3.1.1 §4.8.12.1). */
const unsentHeaders = new Set(['accept', 'authorization', 'content-type', 'cookie'])

/** Names that clients and models take: letters, digits, `_`, `-` and dots. */
function freeArgument({ in: place, name }: EndpointParameter, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 60)
  const candidates = [plain, `${place}_${plain}`]
  for (let number = 2; ; number++) {
    const found = candidates.find((each) => !taken.has(each))
    if (found !== undefined) {
      taken.add(found)
      return found
    }
    candidates.push(`${plain}_${number}`)
  }
}

const placesOfSchema = [
  ['query', 'query'],
  ['headers', 'header'],
] as const

/** What the schema of the parameters names and no document has declared. */
function checkedParameters({ parameters_schema }: EndpointValidation): EndpointParameter[] {
  if (parameters_schema === '') return []
  const { properties = {} } = JSON.parse(parameters_schema) as {
    properties?: Record<string, { properties?: object; required?: unknown } | undefined>
  }
  return placesOfSchema.flatMap(([part, place]) => {
    const { properties: own = {}, required } = properties[part] ?? {}
    const asked: unknown[] = Array.isArray(required) ? required : []
    return Object.keys(own).map((name) => ({
      name,
      in: place,
      is_required: asked.includes(name),
      type: 'string',
      description: '',
    }))
  })
}
