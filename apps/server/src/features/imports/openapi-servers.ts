import { baseUrlProblem } from '@gatehouse/contract'
import { fieldText } from './endpoint-texts.ts'
import type { DocumentReader, ImportedDocument, ImportedServer, Part } from './imported-document.ts'

/** The servers of a document, each once, and which of them an operation has. */
export class OpenApiServers {
  readonly #reader: DocumentReader
  readonly #found = new Map<string, ImportedServer>()
  readonly #ofDocument: string[]

  constructor(reader: DocumentReader, format: ImportedDocument['format']) {
    this.#reader = reader
    const own = format === 'swagger' ? [this.#ofSwagger()] : this.#listed(reader.root)
    this.#ofDocument = own ?? [this.#add('/', '')]
  }

  get all(): ImportedServer[] {
    return [...this.#found.values()]
  }

  /** The nearest list counts (OpenAPI 3.1.1 §4.8.10). */
  of(path: Part, operation: Part): string[] {
    return this.#listed(operation) ?? this.#listed(path) ?? this.#ofDocument
  }

  #listed(part: Part): string[] | undefined {
    const servers = this.#reader.items(this.#reader.field(part, 'servers'))
    if (servers.length === 0) return undefined
    return [...new Set(servers.map((server) => this.#ofServer(server)))]
  }

  #ofServer(server: Part): string {
    const variables = this.#reader.field(server, 'variables')
    let isFilled = false
    const url = this.#reader.text(server, 'url').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const variable = variables && this.#reader.field(variables, name)
      isFilled ||= variable !== undefined
      return variable ? this.#reader.text(variable, 'default') : whole
    })
    const key = this.#add(url || '/', this.#reader.text(server, 'description'))
    if (isFilled) this.#reader.note(server, `Its variables have their defaults: ${key}`)
    return key
  }

  #ofSwagger(): string {
    const { root } = this.#reader
    const host = this.#reader.text(root, 'host')
    const basePath = this.#reader.text(root, 'basePath')
    const schemes = this.#reader
      .items(this.#reader.field(root, 'schemes'))
      .map(({ value }) => String(value).toLowerCase())
    const scheme = schemes.find((each) => each === 'https') ?? schemes[0] ?? 'https'
    return this.#add(host === '' ? basePath || '/' : `${scheme}://${host}${basePath}`, '')
  }

  /** Notes once what can't be a base URL, which then has to be given. */
  #add(given: string, description: string): string {
    const key = given
      .trim()
      .replace(/(?<=[^/])\/+$/, '')
      .slice(0, 2048)
    if (this.#found.has(key)) return key
    const isUsable = baseUrlProblem(key, 'base URL') === undefined
    this.#found.set(key, {
      key,
      url: isUsable ? key : '',
      description: fieldText(description, 200),
    })
    return key
  }
}
