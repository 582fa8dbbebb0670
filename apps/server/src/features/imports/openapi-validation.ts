import {
  noValidation,
  validationSchemaMaxBytes,
  type EndpointValidation,
} from '@gatehouse/contract'
import { compileCheck } from '@gatehouse/contract/json-schema'
import type { DocumentReader, Part } from './imported-document.ts'
import { SchemaReader } from './openapi-schema.ts'

interface OfOperation {
  path: Part
  operation: Part
  /** Parameters of the path that have another name here. */
  renamed: ReadonlyMap<string, string>
}

const json = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i

/**
 * The schemas that the document has for an operation, not in force: a user switches them on. Null where it
 * has none. One that the gateway could not use is left out, with a note.
 */
export function readValidation(reader: DocumentReader, of: OfOperation): EndpointValidation | null {
  const body = reader.field(of.operation, 'requestBody') ?? bodyOfSwagger(reader, of)
  const bodySchema = body && jsonSchemaOf(reader, body)
  const read = (name: string, work: () => object | undefined, isText = false) =>
    usable(reader, of.operation, { name, work, isText })
  const parameters_schema = read('parameters', () => parametersSchema(reader, of), true)
  const body_schema = read(
    'body',
    () => bodySchema && new SchemaReader(reader, { isAnswer: false }).read(bodySchema),
  )
  const answer_schema = read('answers', () => answerSchema(reader, of.operation))
  if (parameters_schema === '' && body_schema === '' && answer_schema === '') return null
  const is_body_required =
    body_schema !== '' && !!body && reader.field(body, 'required')?.value === true
  return { ...noValidation, parameters_schema, body_schema, answer_schema, is_body_required }
}

interface ToRead {
  name: string
  work: () => object | undefined
  isText: boolean
}

/** Schemas of a document that can be used: many operations have the same. */
const compiledOf = new WeakMap<DocumentReader, Set<string>>()

/** As text; blank where there is none, or it can't be used. */
function usable(reader: DocumentReader, operation: Part, { name, work, isText }: ToRead): string {
  try {
    const schema = work()
    if (!schema || Object.keys(schema).length === 0) return ''
    const text = JSON.stringify(schema, undefined, 2)
    const shortest =
      Buffer.byteLength(text) > validationSchemaMaxBytes ? JSON.stringify(schema) : text
    if (Buffer.byteLength(shortest) > validationSchemaMaxBytes)
      throw new Error('it is larger than 64 KiB')
    const key = `${isText} ${shortest}`
    const known = compiledOf.get(reader) ?? new Set()
    if (!known.has(key)) compileCheck(schema, { isText })
    compiledOf.set(reader, known.add(key))
    return shortest
  } catch (error) {
    const why = (error as Error).message.slice(0, 300)
    reader.note(operation, `The schema of its ${name} is not imported: ${why}`)
    return ''
  }
}

/** Where JSON is all that a body may be. */
function jsonSchemaOf(reader: DocumentReader, body: Part): Part | undefined {
  const content = reader.fields(reader.field(body, 'content'))
  const [only] = content
  if (content.length === 0) return schemaPart(body)
  return only && content.length === 1 && json.test(only[0]) ? schemaPart(only[1]) : undefined
}

/** As it is written: a reference stays one. */
function schemaPart({ value, keys }: Part): Part | undefined {
  const schema = (value as Record<string, unknown> | null)?.['schema']
  return typeof schema === 'object' ? { value: schema, keys: [...keys, 'schema'] } : undefined
}

function bodyOfSwagger(reader: DocumentReader, of: OfOperation): Part | undefined {
  return parametersOf(reader, of).find((part) => reader.text(part, 'in') === 'body')
}

/** The operation's come last, and win. */
const parametersOf = (reader: DocumentReader, { path, operation }: OfOperation) =>
  [path, operation].flatMap((owner) => reader.items(reader.field(owner, 'parameters')))

const partNames = new Map([
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'headers'],
])
/** What the gateway reads or sets itself (OpenAPI 3.1.1 §4.8.12). */
const unseenHeaders = new Set(['accept', 'content-type', 'authorization', 'cookie', 'host'])

function parametersSchema(reader: DocumentReader, of: OfOperation): object | undefined {
  const found = new Map<string, Map<string, { schema: unknown; isRequired: boolean }>>()
  const schemas = new SchemaReader(reader, { isAnswer: false })
  for (const part of parametersOf(reader, of)) {
    const place = partNames.get(reader.text(part, 'in'))
    const given = reader.text(part, 'name')
    const name = place === 'headers' ? given.toLowerCase() : (of.renamed.get(given) ?? given)
    if (place === undefined || name === '' || (place === 'headers' && unseenHeaders.has(name)))
      continue
    const schema = isPlainText(reader, part) ? schemas.readPart(schemaPart(part) ?? part) : {}
    const isRequired = place === 'path' || reader.field(part, 'required')?.value === true
    found.set(place, (found.get(place) ?? new Map()).set(name, { schema, isRequired }))
  }
  const properties = [...found].flatMap(([place, named]) => {
    const required = [...named].flatMap(([name, { isRequired }]) => (isRequired ? [name] : []))
    const asked = [...named].filter(([, { schema }]) => Object.keys(schema as object).length > 0)
    if (required.length === 0 && asked.length === 0) return []
    const shape = Object.fromEntries(asked.map(([name, { schema }]) => [name, schema]))
    return [[place, { properties: shape, ...(required.length > 0 && { required }) }]]
  })
  if (properties.length === 0) return undefined
  return schemas.withDefinitions({ properties: Object.fromEntries(properties) as object })
}

/** False where one text holds several values, or an object: then any text fits. */
function isPlainText(reader: DocumentReader, part: Part): boolean {
  const schema = reader.field(part, 'schema') ?? part
  const type = reader.field(schema, 'type')?.value
  if (type === 'array') {
    const isRepeated =
      reader.text(part, 'in') === 'query' &&
      reader.field(part, 'explode')?.value !== false &&
      ['', 'form'].includes(reader.text(part, 'style')) &&
      ['', 'multi'].includes(reader.text(part, 'collectionFormat'))
    // Swagger 2 has commas unless it says so.
    return isRepeated && (schema !== part || reader.text(part, 'collectionFormat') === 'multi')
  }
  return typeof type === 'string' && type !== 'object' && type !== 'file'
}

/** Of the answers of 2xx that are JSON. */
function answerSchema(reader: DocumentReader, operation: Part): object | undefined {
  const answers = reader
    .fields(reader.field(operation, 'responses'))
    .filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
  const schemas = answers.flatMap(([, answer]) => {
    const content = reader.fields(reader.field(answer, 'content')).find(([type]) => json.test(type))
    return schemaPart(content?.[1] ?? answer) ?? []
  })
  // Which of several an answer should fit is for its status to say.
  const [only] = schemas
  if (!only || schemas.length > 1) return undefined
  return new SchemaReader(reader, { isAnswer: true }).read(only)
}
