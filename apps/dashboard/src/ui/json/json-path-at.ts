import type { SyntaxNode, Tree } from '@lezer/common'

/** Names and indexes that lead from the root of a document to one of its values. */
export type JsonPath = readonly (string | number)[]

export interface JsonValueAt {
  path: JsonPath
  /** The value's range in the text, half open. */
  from: number
  to: number
  kind: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array'
}

const kinds: Record<string, JsonValueAt['kind']> = {
  String: 'string',
  Number: 'number',
  True: 'boolean',
  False: 'boolean',
  Null: 'null',
  Object: 'object',
  Array: 'array',
}

/**
 * The value at a position of a JSON text, found on its syntax tree. A position on a name, its colon
 * or its quotes means the value of that name; on a bracket the object or array it belongs to; on
 * white space the value around it. Undefined where the text is not (yet) JSON.
 */
export function jsonValueAt(
  tree: Tree,
  read: (from: number, to: number) => string,
  position: number,
): JsonValueAt | undefined {
  const value = nearestValue(tree.resolveInner(position, 1), tree.resolveInner(position, -1))
  const kind = value && kinds[value.name]
  if (!value || !kind) return undefined

  const path: (string | number)[] = []
  for (let node = value; node.parent; node = node.parent) {
    if (node.parent.name === 'Property') {
      const name = propertyName(node.parent, read)
      if (name === undefined) return undefined
      path.unshift(name)
    } else if (node.parent.name === 'Array') {
      path.unshift(commasBefore(node))
    }
  }
  return { path, from: value.from, to: value.to, kind }
}

/**
 * A position lies between two characters. A scalar or a name on either side comes before the object or
 * array whose bracket or comma is on the other side.
 */
function nearestValue(right: SyntaxNode, left: SyntaxNode): SyntaxNode | undefined {
  for (const node of [right, left]) {
    if (isScalar(node)) return node
    const property = node.name === 'Property' ? node : node.parent
    if (property?.name === 'Property' && !isContainer(node)) {
      const value = property.lastChild
      return value && kinds[value.name] ? value : undefined
    }
  }
  const bracket = [right, left].find(({ name }) => /^[{}[\]]$/.test(name))
  return container(bracket ?? right) ?? container(left)
}

/** The object or array that a node is, or is a bracket or comma of. */
function container(node: SyntaxNode): SyntaxNode | undefined {
  if (node.name === 'JsonText') return node.firstChild ?? undefined
  if (isContainer(node)) return node
  return node.parent && isContainer(node.parent) ? node.parent : undefined
}

const isContainer = (node: SyntaxNode) => node.name === 'Object' || node.name === 'Array'

const isScalar = (node: SyntaxNode) => kinds[node.name] !== undefined && !isContainer(node)

function propertyName(property: SyntaxNode, read: (from: number, to: number) => string) {
  const node = property.getChild('PropertyName')
  if (!node) return undefined
  try {
    const name: unknown = JSON.parse(read(node.from, node.to))
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

/** The index of an element. Walks forward: stepping back through a tree buffer is quadratic. */
function commasBefore(element: SyntaxNode): number {
  let commas = 0
  for (let node = element.parent?.firstChild; node; node = node.nextSibling) {
    if (node.from >= element.from) break
    if (node.name === ',') commas += 1
  }
  return commas
}
