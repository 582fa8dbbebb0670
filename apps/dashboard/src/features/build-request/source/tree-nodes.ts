import {
  isExactObject,
  isLosslessNumber,
  pathText,
  type ExactJson,
  type PathSegment,
} from '@gatehouse/contract/mapping'
import type { JsonPath } from '../../../ui/json/json-path-at.ts'

/** One line of the tree. */
export interface TreeNode {
  /** Its path as text, unlike any other's. */
  id: string
  path: JsonPath
  /** Its name in an object, or its place in a list; blank for the whole document. */
  name: string
  depth: number
  value: ExactJson
  /** Of an object or a list how many it holds; undefined for a plain value. */
  count: number | undefined
  isOpen: boolean
}

/** Elements of a list that are open at first: the others look alike. */
const openElements = 3
const openDepth = 3

/** The lines of a document. `toggled` are those that are not as they are at first. */
export function treeNodes(document: ExactJson, toggled: ReadonlySet<string>): TreeNode[] {
  const nodes: TreeNode[] = []
  const visit = (value: ExactJson, path: JsonPath, isOpenAtFirst: boolean) => {
    const id = pathText(segmentsOf(path))
    const members = membersOf(value)
    const isOpen = members !== undefined && isOpenAtFirst !== toggled.has(id)
    const name = path.at(-1) ?? ''
    nodes.push({
      id,
      path,
      name: String(name),
      depth: path.length,
      value,
      count: members?.length,
      isOpen,
    })
    if (!isOpen) return
    for (const [key, member] of members) {
      const isEarly = typeof key === 'string' || key < openElements
      visit(member, [...path, key], isEarly && path.length + 1 < openDepth)
    }
  }
  visit(document, [], true)
  return nodes
}

function membersOf(value: ExactJson): (readonly [string | number, ExactJson])[] | undefined {
  if (Array.isArray(value)) return value.map((element, index) => [index, element] as const)
  return isExactObject(value) ? Object.entries(value) : undefined
}

export const segmentsOf = (path: JsonPath): PathSegment[] =>
  path.map((key) =>
    typeof key === 'number' ? { kind: 'index', index: key } : { kind: 'name', name: key },
  )

/** The place of a value as the coverage of the rows counts it: elements of a list are one. */
export const placeOf = (path: JsonPath): string =>
  pathText(
    path.map((key) => (typeof key === 'number' ? { kind: 'all' } : { kind: 'name', name: key })),
  )

const shownCharacters = 200

/** A plain value as JSON writes it, without the signs that would turn the line around. */
export function plainText(value: ExactJson): string {
  if (isLosslessNumber(value)) return escaped(value.value)
  const text = typeof value === 'string' ? value.slice(0, shownCharacters) : value
  return escaped(JSON.stringify(text)) + (text === value ? '' : '…')
}

/** Signs that are not seen and change how others are read are shown as their numbers. */
export const escaped = (text: string): string =>
  text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
