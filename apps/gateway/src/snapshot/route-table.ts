import { wireMethodNames, type WireMethod } from '@gatehouse/contract/gateway'

/** What a path may be called with. HEAD is GET's too, where it has no endpoint. */
export type RouteMethod = WireMethod

export interface Route {
  method: RouteMethod
  /** The whole path, `/{context}{path}`, with `{name}` for one whole segment. */
  fullPath: string
}

/** The routes of one path, by method. */
type ByMethod<R> = { [method in RouteMethod]: R | null }

interface Node<R> {
  children: Map<string, Node<R>> | null
  parameter: Node<R> | null
  routes: ByMethod<R> | null
}

export interface Found<R> {
  route: R
  /** Decoded values of the parameters, in the order of the path. */
  params: readonly string[]
}

const none: readonly string[] = []

/**
 * Finds routes by path: one look-up where the path has no parameter and came without an escape, else
 * a walk along its segments. A literal segment wins over a parameter; where it leads nowhere for the
 * method, the parameter is tried. Trailing slashes count.
 */
export class RouteTable<R extends Route> {
  readonly #exact = new Map<string, ByMethod<R>>()
  readonly #root: Node<R> = createNode()

  /** The first route of a path and method stays. */
  add(route: R): void {
    let node = this.#root
    for (const segment of route.fullPath.slice(1).split('/')) {
      if (segment.startsWith('{')) node = node.parameter ??= createNode<R>()
      else node = childOf(node, segment)
    }
    const routes = (node.routes ??= {
      GET: null,
      POST: null,
      PUT: null,
      PATCH: null,
      DELETE: null,
      HEAD: null,
    })
    routes[route.method] ??= route
    if (!route.fullPath.includes('{')) this.#exact.set(route.fullPath, routes)
  }

  /** A route whose path has no parameter, by the path as it came. */
  exact(method: RouteMethod, path: string): R | null {
    return this.#exact.get(path)?.[method] ?? null
  }

  /** `segments` are decoded. */
  find(method: RouteMethod, segments: readonly string[]): Found<R> | null {
    const params: string[] = []
    const route = walk(this.#root, { method, segments, params }, 0)
    return route && { route, params: params.length === 0 ? none : params }
  }

  /** The methods that a path takes, for `Allow`; empty where there is nothing at all. */
  methods(segments: readonly string[]): RouteMethod[] {
    return wireMethodNames.filter((method) => this.find(method, segments))
  }
}

interface Walk {
  method: RouteMethod
  segments: readonly string[]
  params: string[]
}

function walk<R>(node: Node<R>, search: Walk, at: number): R | null {
  const segment = search.segments[at]
  if (segment === undefined) return node.routes?.[search.method] ?? null
  const child = node.children?.get(segment)
  const found = child === undefined ? null : walk(child, search, at + 1)
  if (found !== null || node.parameter === null || !fillsParameter(segment)) return found
  search.params.push(segment)
  const byParameter = walk(node.parameter, search, at + 1)
  if (byParameter === null) search.params.pop()
  return byParameter
}

/**
 * Not an empty segment: `/orders/` is not `/orders/{id}`. Nor one with path parameters (RFC 3986 §3.3): many servers cut
 * `;…` off, and `/orders/new;x`, let in as `/orders/{id}`, would be their `/orders/new`.
 */
const fillsParameter = (segment: string): boolean => segment !== '' && !segment.includes(';')

function createNode<R>(): Node<R> {
  return { children: null, parameter: null, routes: null }
}

function childOf<R>(node: Node<R>, segment: string): Node<R> {
  const children = (node.children ??= new Map())
  let child = children.get(segment)
  if (child === undefined) {
    child = createNode<R>()
    children.set(segment, child)
  }
  return child
}
