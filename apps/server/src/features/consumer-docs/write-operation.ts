import { noValidation, type EndpointParameter, type ServedApi } from '@gatehouse/contract'
import type { DocumentedSchemas } from './documented-schemas.ts'
import { responseReferences } from './gateway-responses.ts'
import { securityOf, type AskingApi } from './security-schemes.ts'
import { schemaOf } from '../../kernel/http/parameter-schema.ts'
import type { DocumentedEndpoint } from './served-docs.ts'

interface OperationNames {
  operationId: string
  /** Parameters of the path that have another name in the document. */
  renamed: ReadonlyMap<string, string>
  schemas: DocumentedSchemas
}

type ReferenceOf = (place: string, name: string) => { $ref: string } | undefined

/** One operation of the document (OpenAPI 3.1.1 §4.8.10). */
export function writeOperation(
  api: Pick<ServedApi, 'name'> & AskingApi,
  endpoint: DocumentedEndpoint,
  { operationId, renamed, schemas }: OperationNames,
) {
  const validation = endpoint.validation ?? noValidation
  const refOf = schemas.addParameters(`${operationId}_parameters`, validation)
  const parameters = parametersOf(endpoint, renamed, refOf)
  const schema = schemas.add(`${operationId}_body`, validation.body_schema)
  const body = schema
    ? jsonBody(endpoint.parameters, schema, validation.is_body_required)
    : bodyOf(endpoint.parameters)
  const answer = schemas.add(`${operationId}_answer`, validation.answer_schema)
  const answers = endpoint.answers ?? (answer ? 'application/json' : null)
  return {
    operationId,
    tags: [api.name],
    summary: endpoint.summery,
    description: endpoint.description,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      '2XX': {
        description: 'The answer of the API.',
        ...(answers !== null && {
          content: { [answers]: answer && endpoint.answers === null ? { schema: answer } : {} },
        }),
      },
      ...responseReferences(endpoint),
    },
    security: securityOf(api, endpoint),
  }
}

const isWritten = ({ in: place }: EndpointParameter) => place !== 'body' && place !== 'form'

/** Each parameter of the path is there, also where nothing was imported. */
function parametersOf(
  { path, parameters }: DocumentedEndpoint,
  renamed: OperationNames['renamed'],
  refOf: ReferenceOf,
) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const known = new Set(parameters.flatMap((each) => (each.in === 'path' ? [each.name] : [])))
  const added = inPath
    .filter((name) => !known.has(name))
    .map((name) => ({ name, in: 'path', is_required: true, type: 'string', description: '' }))
  return [...added, ...parameters.filter(isWritten)].map((each) => ({
    name: each.in === 'path' ? (renamed.get(each.name) ?? each.name) : each.name,
    in: each.in,
    ...(each.is_required || each.in === 'path' ? { required: true } : {}),
    ...(each.description !== '' && { description: each.description }),
    ...typeOf(each.type, refOf(each.in, each.name)),
  }))
}

/** A type of media is content, any other word a schema. */
const typeOf = (type: string, schema: { $ref: string } | undefined) =>
  schema
    ? { schema }
    : /^[\w.+-]+\/[\w.+*-]+$/.test(type)
      ? { content: { [type]: {} } }
      : { schema: schemaOf(type) }

function jsonBody(
  parameters: readonly EndpointParameter[],
  schema: { $ref: string },
  isRequired: boolean,
) {
  const { description = '' } = parameters.find((each) => each.in === 'body') ?? {}
  return {
    ...(description !== '' && { description }),
    content: { 'application/json': { schema } },
    ...(isRequired && { required: true }),
  }
}

function bodyOf(parameters: readonly EndpointParameter[]) {
  const body = parameters.find((each) => each.in === 'body')
  if (!body) return formOf(parameters.filter((each) => each.in === 'form'))
  const types = body.type.split(', ').filter((type) => type.includes('/'))
  return {
    ...(body.description !== '' && { description: body.description }),
    content: Object.fromEntries((types.length > 0 ? types : ['*/*']).map((type) => [type, {}])),
    ...(body.is_required && { required: true }),
  }
}

function formOf(fields: readonly EndpointParameter[]) {
  if (fields.length === 0) return undefined
  const required = fields.filter((field) => field.is_required).map(({ name }) => name)
  const properties = fields.map(({ name, type, description }) => [
    name,
    { ...schemaOf(type), ...(description !== '' && { description }) },
  ])
  const type = fields.some((field) => field.type === 'file')
    ? 'multipart/form-data'
    : 'application/x-www-form-urlencoded'
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties) as object,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
  return { content: { [type]: { schema } }, ...(required.length > 0 && { required: true }) }
}
