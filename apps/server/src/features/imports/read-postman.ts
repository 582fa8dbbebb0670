import { baseUrlProblem, methods, type EndpointParameter } from '@gatehouse/contract'
import type { LocatedDocument } from '../../kernel/located-document.ts'
import { fieldText, toEndpointPath, toParameter } from './endpoint-texts.ts'
import {
  DocumentReader,
  type ImportedDocument,
  type ImportedOperation,
  type ImportedServer,
  type Part,
} from './imported-document.ts'

/** Folders within folders. */
const depthMax = 20

/** True where a document calls itself a Postman collection, of any version. */
export function isPostman(document: LocatedDocument): boolean {
  const reader = new DocumentReader(document)
  const info = reader.field(reader.root, 'info')
  return /schema\.(?:get)?postman\.com|_postman_id/.test(
    `${reader.text(info, 'schema')} ${info && reader.field(info, '_postman_id') ? '_postman_id' : ''}`,
  )
}

/** The servers and requests of a Postman collection v2.1. Throws `UnfitDocument` for other versions. */
export function readPostman(document: LocatedDocument): ImportedDocument {
  const collection = new PostmanReader(new DocumentReader(document))
  return collection.read()
}

class PostmanReader {
  readonly #reader: DocumentReader
  readonly #servers = new Map<string, ImportedServer>()
  readonly #operations = new Map<string, ImportedOperation>()
  readonly #variables = new Map<string, string>()

  constructor(reader: DocumentReader) {
    this.#reader = reader
  }

  read(): ImportedDocument {
    const { root, notes } = this.#reader
    const info = this.#reader.field(root, 'info')
    if (!this.#reader.text(info, 'schema').includes('/v2.1'))
      this.#reader.refuse(info ?? root, 'Export the collection as v2.1.')
    for (const variable of this.#reader.items(this.#reader.field(root, 'variable')))
      this.#variables.set(this.#reader.text(variable, 'key'), this.#reader.text(variable, 'value'))
    this.#folder(root, 0)
    this.#noteUnmapped(root)
    return {
      format: 'postman',
      version: '2.1',
      title: fieldText(this.#reader.text(info, 'name'), 100) || 'Imported collection',
      servers: [...this.#servers.values()],
      operations: [...this.#operations.values()],
      notes,
    }
  }

  #folder(folder: Part, depth: number): void {
    if (depth > depthMax) this.#reader.refuse(folder, 'Folders are nested too deep.')
    for (const item of this.#reader.items(this.#reader.field(folder, 'item'))) {
      const request = this.#reader.field(item, 'request')
      if (request) this.#request(item, request)
      else this.#folder(item, depth + 1)
      if (depth > 0 || request) this.#noteUnmapped(item)
    }
  }

  #noteUnmapped(part: Part): void {
    const request = this.#reader.field(part, 'request') ?? part
    const auth = this.#reader.field(request, 'auth')
    if (auth && this.#reader.text(auth, 'type') !== 'noauth')
      this.#reader.note(auth, 'How callers sign in is not imported: set it in the API.')
    const event = this.#reader.field(part, 'event')
    if (this.#reader.items(event).length > 0 && event)
      this.#reader.note(event, 'Scripts are not imported.')
  }

  #request(item: Part, request: Part): void {
    const name = this.#reader.text(item, 'name')
    const given = (this.#reader.text(request, 'method') || 'GET').toLowerCase()
    const method = methods.find((each) => each === given)
    const split = this.#split(request)
    const problem = !method
      ? 'An endpoint can’t have this method.'
      : split === undefined
        ? 'It has no URL.'
        : split.problem
    if (!method || !split || problem !== undefined) {
      this.#reader.note(item, `${name || given.toUpperCase()} is not imported. ${problem ?? ''}`)
      return
    }
    this.#add(item, { ...split, method, name, request })
  }

  #add(item: Part, found: FoundRequest): void {
    const { method, server, path, request, name } = found
    const key = `${server} ${method} ${path.replace(/\{\w+\}/g, '{}')}`
    if (this.#operations.has(key)) {
      this.#reader.note(
        item,
        `${name} has the method and path of an earlier request; it is left out.`,
      )
      return
    }
    const { pointer, line } = this.#reader.document.note(item.keys, '')
    const summery = fieldText(name, 200) || `${method.toUpperCase()} ${path}`
    const description = this.#description(request) || this.#description(item)
    this.#operations.set(key, {
      method,
      path,
      summery,
      description: fieldText(description, 1000, { isMultiline: true }) || summery,
      parameters: this.#parameters(request, path),
      validation: null,
      servers: [server],
      pointer,
      line,
    })
  }

  /** A text, or an object with a text. */
  #description(part: Part): string {
    const given = this.#reader.field(part, 'description')
    return this.#reader.text(part, 'description') || this.#reader.text(given, 'content')
  }

  /** The server and the path of a request. Postman writes `:id` for a part of the path. */
  #split(request: Part) {
    const url = this.#reader.field(request, 'url') ?? request
    const raw = typeof url.value === 'string' ? url.value : this.#reader.text(url, 'raw')
    if (raw === '') return undefined
    const filled = raw.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (whole, name: string) => {
      const value = this.#variables.get(name) ?? ''
      return value === '' ? whole : value
    })
    const [, origin = '', rest = ''] =
      /^((?:\{\{[^{}]*\}\}|https?:\/\/[^/?#]*|[^/?#:]+(?::\d+)?))(.*)$/is.exec(filled) ?? []
    const server = this.#serverOf(origin)
    const template = (rest.split(/[?#]/)[0] ?? '')
      .split('/')
      .map((step) =>
        /^:\w/.test(step) ? `{${step.slice(1)}}` : step.replace(/^\{\{(.*)\}\}$/, '{$1}'),
      )
      .join('/')
    const { path, problem } = toEndpointPath(template === '' ? '/' : template)
    return { server, path, problem }
  }

  #serverOf(origin: string): string {
    const url = /^https?:\/\//i.test(origin) || origin.includes('{{') ? origin : `https://${origin}`
    const isUsable = !url.includes('{{') && baseUrlProblem(url, 'base URL') === undefined
    if (!this.#servers.has(url))
      this.#servers.set(url, { key: url, url: isUsable ? url : '', description: '' })
    return url
  }

  #parameters(request: Part, path: string): EndpointParameter[] {
    const url = this.#reader.field(request, 'url')
    const listOf = (owner: Part | undefined, name: string) =>
      owner ? this.#reader.items(this.#reader.field(owner, name)) : []
    const body = this.#reader.field(request, 'body')
    const mode = this.#reader.text(body, 'mode')
    const isForm = mode === 'formdata' || mode === 'urlencoded'
    const raw = mode === 'raw' ? this.#rawType(body) : mode
    return [
      ...listOf(url, 'variable')
        .filter((part) => path.includes(`{${this.#reader.text(part, 'key')}}`))
        .map((part) => this.#parameter(part, 'path')),
      ...listOf(url, 'query').map((part) => this.#parameter(part, 'query')),
      ...listOf(request, 'header').map((part) => this.#parameter(part, 'header')),
      ...(isForm ? listOf(body, mode).map((part) => this.#parameter(part, 'form')) : []),
      ...(mode === '' || isForm
        ? []
        : [
            toParameter({ name: 'body', in: 'body', isRequired: true, type: raw, description: '' }),
          ]),
    ]
      .filter(({ name }) => name !== '')
      .slice(0, 200)
  }

  #rawType(body: Part | undefined): string {
    const options = body && this.#reader.field(body, 'options')
    const raw = options && this.#reader.field(options, 'raw')
    const language = this.#reader.text(raw, 'language')
    return language === 'json' ? 'application/json' : language
  }

  /** A parameter that is switched off is one that a call may leave out. */
  #parameter(part: Part, place: 'path' | 'query' | 'header' | 'form'): EndpointParameter {
    const isOff = this.#reader.field(part, 'disabled')?.value === true
    return toParameter({
      name: this.#reader.text(part, 'key'),
      in: place,
      isRequired: place === 'path' || !isOff,
      type: place === 'form' ? this.#reader.text(part, 'type') : '',
      description: this.#description(part),
    })
  }
}

interface FoundRequest {
  method: ImportedOperation['method']
  server: string
  path: string
  request: Part
  name: string
}
