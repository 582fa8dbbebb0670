import type {
  EndpointParameter,
  EndpointValidation,
  importFormats,
  methods,
} from '@gatehouse/contract'
import type { StoredCredential } from '@gatehouse/contract/credential'
import type { DocumentNote, Keys, LocatedDocument } from '../../kernel/located-document.ts'

export interface ImportedServer {
  /** As the document has it, with the defaults of its variables. */
  key: string
  /** Blank: the document does not say where it is. */
  url: string
  description: string
}

export interface ImportedOperation {
  method: (typeof methods)[number]
  path: string
  summery: string
  description: string
  parameters: EndpointParameter[]
  /** What the document asks of requests and answers; null: nothing. */
  validation: EndpointValidation | null
  /** Keys of the servers that have it. */
  servers: string[]
  pointer: string
  line: number | null
}

/** The one request that an address or a command names. */
export interface ImportedCall {
  url: string
  query: string
  body: string
  /** Blank: it does not say. */
  contentType: string
  /** How the command signs in. No preview shows it. */
  signIn: Extract<StoredCredential, { kind: 'bearer' | 'basic' | 'headers' }> | null
}

/** What a document says of APIs and their endpoints. */
export interface ImportedDocument {
  format: (typeof importFormats)[number]
  version: string
  title: string
  servers: ImportedServer[]
  operations: ImportedOperation[]
  notes: DocumentNote[]
  /** Of an address and a command alone. */
  call?: ImportedCall
}

/** The document can't be imported. */
export class UnfitDocument extends Error {
  override name = 'UnfitDocument'
  readonly problems: DocumentNote[]

  constructor(problems: DocumentNote[]) {
    super('The document is unfit.')
    this.problems = problems
  }
}

/** A part of a document, and the way to it. */
export interface Part {
  value: unknown
  keys: Keys
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Further references than these are a circle. */
const hopsMax = 50

/** Reads parts of a document, follows its references, and collects notes. */
export class DocumentReader {
  readonly document: LocatedDocument
  readonly notes: DocumentNote[] = []

  constructor(document: LocatedDocument) {
    this.document = document
  }

  get root(): Part {
    return { value: this.document.value, keys: [] }
  }

  note({ keys }: Part, message: string): void {
    this.notes.push(this.document.note(keys, message))
  }

  refuse({ keys }: Part, message: string): never {
    throw new UnfitDocument([this.document.note(keys, message)])
  }

  /** A field of an object, its references followed; undefined where there is none. */
  field({ value, keys }: Part, name: string): Part | undefined {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined
    return this.follow({ value: value[name], keys: [...keys, name] })
  }

  /** The fields of an object, as they are written. */
  fields(part: Part | undefined): [name: string, field: Part][] {
    if (!part || !isObject(part.value)) return []
    return Object.entries(part.value).flatMap(([name, value]) => {
      const field = this.follow({ value, keys: [...part.keys, name] })
      return field ? [[name, field] as [string, Part]] : []
    })
  }

  /** The elements of a list, their references followed. */
  items(part: Part | undefined): Part[] {
    if (!part || !Array.isArray(part.value)) return []
    return part.value.flatMap((value, at) => this.follow({ value, keys: [...part.keys, at] }) ?? [])
  }

  /** A text; blank for anything else. */
  text(part: Part | undefined, name: string): string {
    const value = part && this.field(part, name)?.value
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  }

  /** What a reference leads to within the document. One that leads nowhere, or in a circle, is noted. */
  follow(part: Part): Part | undefined {
    let found = part
    for (let hop = 0; isObject(found.value) && typeof found.value['$ref'] === 'string'; hop++) {
      const reference = found.value['$ref']
      const next = hop < hopsMax ? this.#at(reference) : undefined
      if (!next) {
        const why = hop < hopsMax ? 'leads nowhere' : 'leads in a circle'
        this.note(part, `The reference ${reference} ${why}; it is left out.`)
        return undefined
      }
      found = next
    }
    return found
  }

  #at(reference: string): Part | undefined {
    if (reference === '#') return this.root
    if (!reference.startsWith('#/')) return undefined
    const keys = reference.slice(2).split('/').map(toKey)
    let { value } = this.root
    for (const key of keys) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
        return undefined
      value = (value as Record<string, unknown>)[key]
    }
    return { value, keys }
  }
}

function toKey(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}
