import { methods } from '@gatehouse/contract'
import type { LocatedDocument } from '../../kernel/located-document.ts'
import { fieldText, toEndpointPath } from './endpoint-texts.ts'
import {
  DocumentReader,
  type ImportedDocument,
  type ImportedOperation,
  type Part,
} from './imported-document.ts'
import { readBody3, readParameters } from './openapi-parameters.ts'
import { readValidation } from './openapi-validation.ts'
import { OpenApiServers } from './openapi-servers.ts'
import { refuseOutside } from './outside-references.ts'

/** Operations of a path (OpenAPI 3.1.1 §4.8.9); the last two can't be endpoints. */
const operationNames = new Set<string>([...methods, 'options', 'trace'])

/**
 * The APIs and operations of an OpenAPI 3 or Swagger 2 document. Throws `UnfitDocument` for anything
 * else, and where the document refers to another one: nothing is fetched.
 */
export function readOpenApi(document: LocatedDocument): ImportedDocument {
  const reader = new DocumentReader(document)
  const version = versionOf(reader)
  refuseOutside(document)
  const servers = new OpenApiServers(reader, version.format)
  const paths = reader.field(reader.root, 'paths')
  const operations = reader
    .fields(paths)
    .filter(([template]) => !template.startsWith('x-'))
    .flatMap(([template, path]) => new PathReader(reader, servers, { template, path }).read())
  if (operations.length === 0 && reader.notes.length === 0)
    reader.refuse(paths ?? reader.root, 'The document has no operation.')
  noteUnmapped(reader)
  const info = reader.field(reader.root, 'info')
  return {
    ...version,
    title: fieldText(reader.text(info, 'title'), 100) || 'Imported API',
    servers: servers.all,
    operations,
    notes: reader.notes,
  }
}

function versionOf(reader: DocumentReader): Pick<ImportedDocument, 'format' | 'version'> {
  const openapi = reader.text(reader.root, 'openapi')
  if (/^3\.[0-2](?:\.|$)/.test(openapi)) return { format: 'openapi', version: openapi }
  const swagger = reader.text(reader.root, 'swagger')
  // YAML reads an unquoted 2.0 as the number 2.
  if (/^2(?:\.0)?$/.test(swagger)) return { format: 'swagger', version: '2.0' }
  const given = reader.field(reader.root, 'openapi') ?? reader.field(reader.root, 'swagger')
  return reader.refuse(
    given ?? reader.root,
    given
      ? 'This version is not known. Give OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0.'
      : 'This is no OpenAPI or Swagger document, and no Postman collection.',
  )
}

/** Parts of a document that an API and its endpoints have no place for. */
const unmapped: [way: string[], words: string][] = [
  [['components', 'securitySchemes'], 'How callers sign in is not imported: set it in the API.'],
  [['securityDefinitions'], 'How callers sign in is not imported: set it in the API.'],
  [['webhooks'], 'Webhooks are not imported.'],
]

function noteUnmapped(reader: DocumentReader): void {
  for (const [way, words] of unmapped) {
    let part: Part | undefined = reader.root
    for (const name of way) part = part && reader.field(part, name)
    if (part && reader.fields(part).length > 0) reader.note(part, words)
  }
}

interface PathToRead {
  template: string
  path: Part
}

/** Reads the operations of one path. */
class PathReader {
  readonly #reader: DocumentReader
  readonly #servers: OpenApiServers
  readonly #template: string
  readonly #path: Part

  constructor(reader: DocumentReader, servers: OpenApiServers, { template, path }: PathToRead) {
    this.#reader = reader
    this.#servers = servers
    this.#template = template
    this.#path = path
  }

  read(): ImportedOperation[] {
    const { path, renamed, problem } = toEndpointPath(this.#template)
    const found = this.#reader.fields(this.#path).filter(([name]) => operationNames.has(name))
    if (problem !== undefined) {
      for (const [name, part] of found) this.#leaveOut(part, name, problem)
      return []
    }
    for (const [from, to] of renamed)
      this.#reader.note(this.#path, `The parameter {${from}} is called {${to}} here.`)
    return found.flatMap(([name, part]) => {
      const method = methods.find((each) => each === name)
      if (method) return this.#operation(method, path, renamed, part)
      this.#leaveOut(part, name, 'An endpoint can’t have this method.')
      return []
    })
  }

  #leaveOut(part: Part, method: string, why: string): void {
    const name = `${method.toUpperCase()} ${this.#template}`
    this.#reader.note(part, `${name} is not imported. ${why}`)
  }

  #operation(
    method: ImportedOperation['method'],
    path: string,
    renamed: Map<string, string>,
    part: Part,
  ): ImportedOperation {
    const reader = this.#reader
    const name = `${method.toUpperCase()} ${path}`
    const summery = fieldText(
      reader.text(part, 'summary') || reader.text(part, 'operationId') || name,
      200,
    )
    const description = reader.text(part, 'description') || reader.text(this.#path, 'description')
    if (reader.field(part, 'callbacks')) reader.note(part, `Callbacks of ${name} are not imported.`)
    const { pointer, line } = reader.document.note(part.keys, '')
    return {
      method,
      path,
      summery,
      description: fieldText(description, 1000, { isMultiline: true }) || summery,
      parameters: [
        ...readParameters(reader, { path: this.#path, operation: part, renamed, shown: path }),
        ...readBody3(reader, part),
      ],
      validation: readValidation(reader, { path: this.#path, operation: part, renamed }),
      servers: this.#servers.of(this.#path, part),
      pointer,
      line,
    }
  }
}
