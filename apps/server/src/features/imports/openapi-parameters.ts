import { parametersMax, type EndpointParameter, type ParameterPlace } from '@gatehouse/contract'
import { toParameter } from './endpoint-texts.ts'
import type { DocumentReader, Part } from './imported-document.ts'

interface OfOperation {
  path: Part
  operation: Part
  /** Parameters of the path that have another name here. */
  renamed: Map<string, string>
  /** The path of the endpoint. */
  shown: string
}

const places = new Map<string, ParameterPlace>([
  ['path', 'path'],
  ['query', 'query'],
  ['querystring', 'query'],
  ['header', 'header'],
  ['cookie', 'cookie'],
  // Swagger 2.
  ['body', 'body'],
  ['formData', 'form'],
])

/** The parameters of an operation and of its path; the operation's win (OpenAPI 3.1.1 §4.8.10). */
export function readParameters(reader: DocumentReader, of: OfOperation): EndpointParameter[] {
  const found = new Map<string, EndpointParameter>()
  for (const owner of [of.path, of.operation]) {
    for (const part of reader.items(reader.field(owner, 'parameters'))) {
      const parameter = readParameter(reader, part, of)
      if (parameter) found.set(`${parameter.in} ${parameter.name}`, parameter)
    }
  }
  const all = [...found.values()]
  if (all.length > parametersMax - 1)
    reader.note(of.operation, `Of ${all.length} parameters ${parametersMax - 1} are imported.`)
  return all.slice(0, parametersMax - 1)
}

function readParameter(
  reader: DocumentReader,
  part: Part,
  { operation, renamed, shown }: OfOperation,
) {
  const given = reader.text(part, 'name')
  const place = places.get(reader.text(part, 'in'))
  if (place === undefined || given === '') {
    reader.note(part, 'This parameter has no name, or is in no place that is known.')
    return undefined
  }
  const name = place === 'path' ? (renamed.get(given) ?? given) : given
  if (place === 'path' && !shown.includes(`{${name}}`)) {
    reader.note(part, `The path has no {${given}}; the parameter is left out.`)
    return undefined
  }
  return toParameter({
    name,
    in: place,
    isRequired: place === 'path' || reader.field(part, 'required')?.value === true,
    type: place === 'body' ? consumedBy(reader, operation) : typeOf(reader, part),
    description: reader.text(part, 'description'),
  })
}

/** Swagger 2: the media types of a body. */
function consumedBy(reader: DocumentReader, operation: Part): string {
  const own = reader.field(operation, 'consumes') ?? reader.field(reader.root, 'consumes')
  return reader
    .items(own)
    .map(({ value }) => String(value))
    .join(', ')
}

/** In words. Swagger 2 has the type at the parameter, OpenAPI 3 in its schema or content. */
function typeOf(reader: DocumentReader, part: Part): string {
  const [content] = reader.fields(reader.field(part, 'content'))
  if (content) return content[0]
  return schemaType(reader, reader.field(part, 'schema') ?? part)
}

function schemaType(reader: DocumentReader, schema: Part, depth = 0): string {
  const type = reader.field(schema, 'type')
  const names =
    type && Array.isArray(type.value) ? type.value.join(' or ') : reader.text(schema, 'type')
  const format = reader.text(schema, 'format')
  if (names === 'array' && depth < 3) {
    const items = reader.field(schema, 'items')
    const of = items ? schemaType(reader, items, depth + 1) : ''
    return of === '' ? 'array' : `array of ${of}`
  }
  return format === '' ? names : `${names} (${format})`.trim()
}

/** OpenAPI 3: the body of a request, as one parameter. */
export function readBody3(reader: DocumentReader, operation: Part): EndpointParameter[] {
  const body = reader.field(operation, 'requestBody')
  if (!body) return []
  const types = reader.fields(reader.field(body, 'content')).map(([type]) => type)
  return [
    toParameter({
      name: 'body',
      in: 'body',
      isRequired: reader.field(body, 'required')?.value === true,
      type: types.join(', '),
      description: reader.text(body, 'description'),
    }),
  ]
}
