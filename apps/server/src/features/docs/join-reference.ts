/** Parts of an OpenAPI document, by their names. */
export interface ReferenceParts {
  paths: Record<string, unknown>
  schemas: Record<string, unknown>
}

interface OpenApiDocument {
  paths?: object | undefined
  components?: { schemas?: object | undefined; responses?: object | undefined } | undefined
}

/** Every refusal, as the answers of the document refer to it. */
const refusal = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'In words, for people.' },
    code: { type: 'string', description: 'For programs.' },
    request_id: { type: 'string', description: 'Finds the request in the log.' },
    errors: {
      type: 'object',
      description: 'Messages by field, with 422.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    run: { type: 'object', description: 'The run that the refusal is about, where there is one.' },
  },
  required: ['message', 'code', 'request_id'],
}

/** A copy of the document in which every call may be refused. */
export function withRefusals<D extends OpenApiDocument>(document: D): D {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
  const refused = { description: 'The call is refused: `code` says why.', content }
  const { schemas, responses } = document.components ?? {}
  return {
    ...document,
    paths: eachOf(document.paths, (item) => eachOf(item, mayBeRefused)),
    components: {
      ...document.components,
      schemas: { ...schemas, Refusal: refusal },
      responses: { ...responses, Refused: refused },
    },
  }
}

const mayBeRefused = ({ responses, ...operation }: { responses?: object }) => ({
  ...operation,
  responses: { ...responses, '4XX': { $ref: '#/components/responses/Refused' } },
})

const eachOf = (parts: object | undefined, change: (part: object) => object) =>
  Object.fromEntries(
    Object.entries(parts ?? {}).map(([name, part]: [string, object]) => [name, change(part)]),
  )

/** A copy of the document with these parts; the document itself stays as it is. */
export function joinReference<D extends OpenApiDocument>(
  document: D,
  { paths, schemas }: ReferenceParts,
): D {
  if (Object.keys(paths).length === 0) return document
  return {
    ...document,
    paths: { ...document.paths, ...paths },
    components: {
      ...document.components,
      schemas: {
        ...document.components?.schemas,
        WorkflowRunAnswer: answerSchemaOf(document),
        ...schemas,
      },
    },
  }
}

/** The answer of every workflow, as the call with any slug declares it. */
function answerSchemaOf({ paths }: OpenApiDocument): unknown {
  return at(paths, [
    '/api/workflows/{slug}/runs',
    'post',
    'responses',
    '202',
    'content',
    'application/json',
    'schema',
  ])
}

function at(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return value
  return at((value as Record<string, unknown>)[key], rest)
}
