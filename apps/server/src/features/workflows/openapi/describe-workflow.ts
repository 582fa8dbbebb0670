import type { WorkflowDefinition } from '@gatehouse/contract'
import { isLosslessNumber, stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'

/** An object of an OpenAPI 3.1 document. */
type OpenApiPart = Record<string, unknown>

interface DescribedWorkflow {
  slug: string
  version: number
  definition: Pick<
    WorkflowDefinition,
    'name' | 'description' | 'kind' | 'status' | 'input_schema' | 'sample_input' | 'reference_path'
  >
}

/** The parts of an OpenAPI document, by their names. */
export interface OpenApiParts {
  paths: Record<string, OpenApiPart>
  schemas: Record<string, unknown>
}

/** A longer sample is left out: the document holds those of all workflows. */
const sampleMaxCharacters = 20_000

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: unknown, more: OpenApiPart = {}) => ({
  content: { 'application/json': { schema, ...more } },
})

/** Names of the schemas that every workflow refers to; the document has to hold them. */
const sharedSchemas = { answer: 'WorkflowRunAnswer', refusal: 'Refusal' } as const

/** The call that starts a run of one workflow, with the schema of its input. */
export function describeWorkflow({ slug, version, definition }: DescribedWorkflow): OpenApiParts {
  const { name, description, status, input_schema, sample_input, reference_path } = definition
  const schemaName = `Input_${slug.replaceAll('-', '_')}`
  const hasSample =
    sample_input !== null &&
    sample_input !== undefined &&
    stringifyExact(sample_input as ExactJson).length <= sampleMaxCharacters
  const operation = {
    operationId: `run_${slug.replaceAll('-', '_')}`,
    tags: ['Workflows'],
    summary: `Run ${name}`,
    description: [
      description,
      `Version ${version}.`,
      status === 'paused' ? 'It is paused: new runs are refused with 409.' : '',
      reference_path === '' ? '' : `The reference of a run is the value at ${reference_path}.`,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    security: [{ personal_token: [] }, { bearer: [] }],
    parameters: startParameters,
    requestBody: {
      required: true,
      ...json(ref(schemaName), hasSample ? { examples: { sample: { value: sample_input } } } : {}),
    },
    responses: startResponses,
  }
  return {
    paths: { [`/api/workflows/${slug}/runs`]: { post: operation } },
    schemas: { [schemaName]: inDocument(input_schema, schemaName) },
  }
}

const startParameters: OpenApiPart[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'One per document, 8 to 200 visible ASCII characters. The same key and content is the same run. Required with a personal token.',
    schema: { type: 'string', minLength: 8, maxLength: 200 },
  },
  {
    name: 'Prefer',
    in: 'header',
    description: 'wait=N: answer when the run has ended, after at most N seconds (up to 60).',
    schema: { type: 'string' },
    example: 'wait=30',
  },
  {
    name: 'test',
    in: 'query',
    description: '1: a test invoice. Needs the permission tax.test.',
    schema: { type: 'string', enum: ['0', '1'] },
  },
]

const answered = (description: string) => ({ description, ...json(ref(sharedSchemas.answer)) })
const refused = (description: string) => ({ description, ...json(ref(sharedSchemas.refusal)) })

const runHeaders = {
  Location: { description: 'The address of the run.', schema: { type: 'string' } },
  'Idempotent-Replay': {
    description: 'true where the run was started by an earlier call with the same key.',
    schema: { type: 'string' },
  },
}

const startResponses: OpenApiPart = {
  200: { ...answered('With Prefer: wait, every step has succeeded.'), headers: runHeaders },
  202: { ...answered('The run is stored, and is carried out.'), headers: runHeaders },
  400: refused('The body is no JSON.'),
  401: refused('The token is unknown, revoked or expired.'),
  403: refused('A permission is lacking.'),
  404: refused('There is no such workflow, or no role of the token’s user has it.'),
  409: refused('The workflow is paused, or the same content is under way or unresolved.'),
  413: refused('The input is larger than 1 MiB.'),
  415: refused('The body is not sent as application/json.'),
  422: refused(
    'The input does not fit: errors holds messages by JSON pointer. Or the key is wrong.',
  ),
  502: refused('With Prefer: wait, a step was not accepted; run says which.'),
  503: refused('It can’t be stored now. Send it again after Retry-After, with the same key.'),
  504: refused(
    'With Prefer: wait, what became of a step is not known. Do not send it with a new key.',
  ),
}

/** What holds other things than schemas: a `$ref` there is data. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples', 'example'])

/**
 * A JSON Schema as a component of the document. Its references to its own parts are made to point into
 * the document, unless it names itself by an `$id`.
 */
function inDocument(schema: unknown, name: string): unknown {
  if (typeof schema !== 'object' || schema === null) return {}
  if ('$id' in schema) return schema
  const { $schema: _, ...rest } = schema as OpenApiPart
  return rebased(rest, `#/components/schemas/${name}`)
}

/** The same schema where it is a part of a document at `base`. */
export function rebased(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((each) => rebased(each, base))
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return value
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
    if (dataKeywords.has(key)) return [key, each]
    if (key === '$ref' && typeof each === 'string' && each.startsWith('#'))
      return [key, base + each.slice(1)]
    return [key, rebased(each, base)]
  })
  return Object.fromEntries(entries)
}
