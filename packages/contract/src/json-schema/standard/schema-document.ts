import { isObject, schemasIn, type Schema } from './schema-places.ts'

/** A schema with an identifier of its own, and what may be named inside it (core §8.2). */
export interface Resource {
  readonly uri: string
  readonly root: unknown
  readonly anchors: Map<string, Schema>
  readonly dynamicAnchors: Map<string, Schema>
}

/** A schema that a reference leads to. */
interface Target {
  readonly schema: unknown
  readonly resource: Resource
  /** The name by which a `$dynamicRef` may lead elsewhere; null: it leads here (core §8.2.3.2). */
  readonly dynamicName: string | null
}

/** The identifier of a document that has none: relative ones inside it have something to be relative to. */
const baseUri = 'schema:///'

/** One JSON Schema with the resources in it. Nothing is ever fetched. */
export class SchemaDocument {
  readonly root: Resource
  readonly #resources = new Map<string, Resource>()
  readonly #resourceOf = new Map<object, Resource>()
  readonly #targets = new Map<Resource, Map<string, Target>>()
  /** A reference leads to what no keyword makes a schema. */
  hasOddTarget = false
  /** A reference leads to another document. */
  hasKnown = false
  readonly #known: (uri: string) => object | undefined

  /** `known`: documents that a reference may lead to beside this one. */
  constructor(schema: unknown, known: (uri: string) => object | undefined) {
    this.#known = known
    this.root = this.#enter(schema, baseUri)
  }

  /** Resolves every reference, so that each that leads nowhere is known. */
  resolveAll(): void {
    // What a reference leads to may have more.
    for (const [schema, resource] of this.#resourceOf)
      for (const keyword of ['$ref', '$dynamicRef']) {
        const reference = (schema as Schema)[keyword]
        if (typeof reference === 'string') this.resolve(reference, resource)
      }
  }

  /** That which a schema of this document belongs to. */
  resourceOf(schema: object, around: Resource): Resource {
    return this.#resourceOf.get(schema) ?? around
  }

  /** Throws an error with a message for an administrator where it leads nowhere, or out of the document. */
  resolve(reference: string, from: Resource): Target {
    let targets = this.#targets.get(from)
    if (targets === undefined) this.#targets.set(from, (targets = new Map()))
    let target = targets.get(reference)
    if (target === undefined) targets.set(reference, (target = this.#find(reference, from)))
    return target
  }

  #find(reference: string, from: Resource): Target {
    const { uri, fragment } = split(reference, from.uri)
    const resource = this.#resources.get(uri) ?? this.#enterKnown(uri)
    if (resource === undefined)
      throw new Error(
        `$ref may only point into this schema, and ${reference.slice(0, 100)} does not.`,
      )
    if (fragment !== '' && !fragment.startsWith('/')) {
      const schema = resource.anchors.get(fragment)
      if (schema === undefined) throw unresolved(reference)
      const isDynamic = resource.dynamicAnchors.get(fragment) === schema
      return { schema, resource, dynamicName: isDynamic ? fragment : null }
    }
    return { ...this.#follow(fragment, resource, reference), dynamicName: null }
  }

  #follow(pointer: string, from: Resource, reference: string) {
    let value = from.root
    let resource = from
    for (const step of pointer.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        throw unresolved(reference)
      value = (value as Schema)[name]
      if (isObject(value)) resource = this.resourceOf(value, resource)
    }
    if (typeof value !== 'boolean' && !isObject(value)) throw unresolved(reference)
    // A place that no keyword makes a schema becomes one because it is referred to.
    if (isObject(value) && !this.#resourceOf.has(value)) {
      this.hasOddTarget = true
      this.#visit(value, resource)
    }
    return {
      schema: value,
      resource: isObject(value) ? this.resourceOf(value, resource) : resource,
    }
  }

  #enterKnown(uri: string): Resource | undefined {
    const schema = this.#known(uri)
    this.hasKnown ||= schema !== undefined
    return schema === undefined ? undefined : this.#enter(schema, uri)
  }

  #enter(schema: unknown, uri: string): Resource {
    const resource: Resource = {
      uri:
        isObject(schema) && typeof schema['$id'] === 'string' ? split(schema['$id'], uri).uri : uri,
      root: schema,
      anchors: new Map(),
      dynamicAnchors: new Map(),
    }
    // A document may be asked for by either name.
    this.#resources.set(uri, resource)
    this.#name(resource)
    if (isObject(schema)) this.#visitInside(schema, resource)
    return resource
  }

  #name(resource: Resource): void {
    const other = this.#resources.get(resource.uri)
    if (other !== undefined && other !== resource)
      throw new Error(`Two schemas have the $id ${resource.uri.slice(0, 100)}.`)
    this.#resources.set(resource.uri, resource)
  }

  #visit(schema: Schema, around: Resource): void {
    if (typeof schema['$id'] !== 'string') return this.#visitInside(schema, around)
    const { uri, fragment } = split(schema['$id'], around.uri)
    if (fragment !== '') throw new Error(`The $id ${schema['$id'].slice(0, 100)} has a fragment.`)
    const resource: Resource = { uri, root: schema, anchors: new Map(), dynamicAnchors: new Map() }
    this.#name(resource)
    this.#visitInside(schema, resource)
  }

  #visitInside(schema: Schema, resource: Resource): void {
    this.#resourceOf.set(schema, resource)
    const { $anchor: anchor, $dynamicAnchor: dynamic } = schema
    if (typeof anchor === 'string') addAnchor(resource.anchors, anchor, schema)
    if (typeof dynamic === 'string') {
      addAnchor(resource.anchors, dynamic, schema)
      resource.dynamicAnchors.set(dynamic, schema)
    }
    for (const inner of schemasIn(schema)) if (isObject(inner)) this.#visit(inner, resource)
  }
}

function addAnchor(anchors: Map<string, Schema>, name: string, schema: Schema): void {
  if (!/^[A-Za-z_][\w.-]*$/.test(name))
    throw new Error(`${name.slice(0, 100)} is no name of an anchor.`)
  const known = anchors.get(name)
  if (known !== undefined && known !== schema)
    throw new Error(`Two schemas have the anchor ${name.slice(0, 100)}.`)
  anchors.set(name, schema)
}

function split(reference: string, base: string): { uri: string; fragment: string } {
  let url: URL
  try {
    url = new URL(reference, base)
  } catch {
    throw new Error(`${reference.slice(0, 100)} is no reference.`)
  }
  const fragment = decoded(url.hash.slice(1), reference)
  url.hash = ''
  return { uri: url.href.replace(/#$/, ''), fragment }
}

function decoded(fragment: string, reference: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    throw unresolved(reference)
  }
}

const unresolved = (reference: string) =>
  new Error(`The reference ${reference.slice(0, 100)} can't be resolved.`)
