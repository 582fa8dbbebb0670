import { createHash } from 'node:crypto'
import { gatewayResponses, problemSchema } from './gateway-responses.ts'
import { DocumentedSchemas } from './documented-schemas.ts'
import { securitySchemes } from './security-schemes.ts'
import type { DocumentedApi, DocumentedApis, DocumentedEndpoint } from './served-docs.ts'
import { writeOperation } from './write-operation.ts'

/**
 * The OpenAPI 3.1 document of docs. Where they are of one API, its address is the server and its paths are
 * those of its endpoints; otherwise paths begin with the context of their API. `info.version` is a digest:
 * it changes exactly when something else in the document does.
 */
export function writeOpenApi(docs: DocumentedApis, isOneApi: boolean) {
  const [first] = docs.apis
  const isWithoutContext = isOneApi && first !== undefined
  const endpoints = docs.apis.flatMap((api) => api.endpoints)
  const schemas: Record<string, object> = endpoints.length > 0 ? { Problem: problemSchema } : {}
  const rest = {
    servers: [
      { url: isWithoutContext ? `${docs.gateway_url}/${first.context}` : docs.gateway_url },
    ],
    tags: docs.apis.map((api) => ({
      name: api.name,
      ...(api.is_internal && { description: 'Can only be called from internal networks.' }),
    })),
    paths: new PathWriter(isWithoutContext, new DocumentedSchemas(schemas)).write(docs.apis),
    components: {
      schemas,
      responses: gatewayResponses(endpoints),
      securitySchemes: securitySchemes(docs.apis),
    },
  }
  return { openapi: '3.1.0', info: { title: docs.title, version: digestOf(rest) }, ...rest }
}

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)

/** Writes paths. Operations of one path have the same names of parameters, as OpenAPI asks (§4.8.8.2). */
class PathWriter {
  readonly #isWithoutContext: boolean
  readonly #schemas: DocumentedSchemas
  readonly #paths = new Map<string, { template: string; item: Record<string, unknown> }>()
  readonly #ids = new Map<string, number>()

  constructor(isWithoutContext: boolean, schemas: DocumentedSchemas) {
    this.#isWithoutContext = isWithoutContext
    this.#schemas = schemas
  }

  write(apis: readonly DocumentedApi[]): Record<string, object> {
    for (const api of apis) for (const endpoint of api.endpoints) this.#add(api, endpoint)
    return Object.fromEntries(
      [...this.#paths.values()].map(({ template, item }) => [template, item]),
    )
  }

  #add(api: DocumentedApi, endpoint: DocumentedEndpoint): void {
    const full = this.#isWithoutContext ? endpoint.path : `/${api.context}${endpoint.path}`
    const key = full.replace(/\{\w+\}/g, '{}')
    const known = this.#paths.get(key) ?? { template: full, item: {} }
    this.#paths.set(key, known)
    const names = namesIn(known.template)
    const renamed = new Map(namesIn(full).map((name, at) => [name, names[at] ?? name]))
    const operationId = this.#idOf(`${endpoint.method_type}_${full}`)
    known.item[endpoint.method_type] = writeOperation(api, endpoint, {
      operationId,
      renamed,
      schemas: this.#schemas,
    })
  }

  #idOf(text: string): string {
    const id = text.replace(/\W+/g, '_').replace(/_+$/, '')
    const count = (this.#ids.get(id) ?? 0) + 1
    this.#ids.set(id, count)
    return count === 1 ? id : this.#idOf(`${id}_${count}`)
  }
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
