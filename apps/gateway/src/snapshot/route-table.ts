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
  /** Routes that come second for their path and method. */
  hidden: R[] | null
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
  readonly #order: (one: R, other: R) => number

  /** Of routes with one path and method, `order` says which comes first and is found; unless given, the first added. */
  constructor(order: (one: R, other: R) => number = () => -1) {
    this.#order = order
  }

  add(route: R): void {
    let node = this.#root
    for (const segment of segmentsOf(route)) {
      if (segment.startsWith('{')) node = node.parameter ??= createNode<R>()
      else node = childOf(node, segment)
    }
    const routes = (node.routes ??= noRoutes<R>())
    const found = routes[route.method]
    const isFirst = found === null || this.#order(found, route) > 0
    if (isFirst) routes[route.method] = route
    const second = isFirst ? found : route
    if (second !== null) (node.hidden ??= []).push(second)
    if (!route.fullPath.includes('{')) this.#exact.set(route.fullPath, routes)
  }

  /** The very route that was added; the one that came second for its path and method is found from now on. */
  remove(route: R): void {
    const nodes = this.#nodesOf(route)
    const node = nodes?.at(-1)
    if (nodes === undefined || !node?.routes) return
    this.#removeFrom(node, node.routes, route)
    if (node.routes === null && !route.fullPath.includes('{')) this.#exact.delete(route.fullPath)
    const segments = segmentsOf(route)
    for (let at = nodes.length - 1; at > 0 && isEmpty(nodes[at]); at--)
      cutOff(nodes[at - 1], segments[at - 1] ?? '')
  }

  #removeFrom(node: Node<R>, routes: ByMethod<R>, route: R): void {
    const { method } = route
    const others = (node.hidden ?? []).filter((each) => each !== route)
    if (routes[method] === route) {
      const [next = null] = others
        .filter((each) => each.method === method)
        .toSorted((one, other) => this.#order(one, other))
      routes[method] = next
      if (next !== null) others.splice(others.indexOf(next), 1)
    }
    node.hidden = others.length === 0 ? null : others
    if (Object.values(routes).every((each) => each === null)) node.routes = null
  }

  /** From the root to where the route is; undefined where nothing is. */
  #nodesOf(route: R): Node<R>[] | undefined {
    const nodes = [this.#root]
    for (const segment of segmentsOf(route)) {
      const last = nodes.at(-1)
      const next = segment.startsWith('{') ? last?.parameter : last?.children?.get(segment)
      if (!next) return undefined
      nodes.push(next)
    }
    return nodes
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

const segmentsOf = ({ fullPath }: Route): string[] => fullPath.slice(1).split('/')

function createNode<R>(): Node<R> {
  return { children: null, parameter: null, routes: null, hidden: null }
}

function noRoutes<R>(): ByMethod<R> {
  return { GET: null, POST: null, PUT: null, PATCH: null, DELETE: null, HEAD: null }
}

const isEmpty = <R>(node: Node<R> | undefined): boolean =>
  node !== undefined && !node.children && node.parameter === null && node.routes === null

function cutOff<R>(parent: Node<R> | undefined, segment: string): void {
  if (parent === undefined) return
  if (segment.startsWith('{')) parent.parameter = null
  else parent.children?.delete(segment)
  if (parent.children?.size === 0) parent.children = null
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
