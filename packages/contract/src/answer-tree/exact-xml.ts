import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { emptyObject } from '../mapping/exact/exact-object.ts'
import type { ExactJson, ExactObject } from '../mapping/exact/exact-types.ts'
import { JsonProblem, type ParseLimits } from '../mapping/exact/exact-json.ts'
import { utf8Length } from '../mapping/exact/json-text.ts'
import { mappingLimits } from '../mapping/mapping-limits.ts'

/** A node as the parser gives it, in document order: a name with what is inside, and attributes. */
type OrderedNode = Record<string, unknown>

const attributesKey = ':@'
const textKey = '#text'
const cdataKey = '#cdata'

/** True where a text is XML and not JSON: its first sign is `<`. */
export const looksLikeXml = (text: string): boolean => /^\uFEFF?\s*</.test(text)

/**
 * Reads XML as the tree that paths, placeholders and rules read of JSON. All values are text, without outer
 * white space. An element is an object with its attributes (`@name`) and elements by their names, prefixes
 * as written; text beside them is `#text`. An element with text alone is that text, and elements of
 * one name are a list. Throws `JsonProblem` where the text is not well-formed, is a web page, has a
 * document type (so that no entity is defined) or exceeds a limit.
 */
export function parseExactXml(text: string, limits: ParseLimits = {}): ExactJson {
  const { maxBytes = mappingLimits.bytes, maxDepth = mappingLimits.depth } = limits
  if (utf8Length(text, maxBytes) > maxBytes) {
    throw new JsonProblem('too_large', `The XML is larger than ${maxBytes / 1_048_576} MiB.`)
  }
  const xml = text.replace(/^\uFEFF/, '').trim()
  refuseHostile(xml, maxDepth)
  const checked = XMLValidator.validate(xml)
  if (checked !== true) {
    throw new JsonProblem(
      'syntax',
      'The text is not well-formed XML.',
      checked.err.line,
      checked.err.col,
    )
  }
  const roots = parseNodes(xml).filter((node) => nameOf(node) !== textKey)
  const [root] = roots
  const name = root && nameOf(root)
  if (!root || !name || roots.length > 1 || name.toLowerCase() === 'html') {
    throw new JsonProblem('syntax', 'The XML is not a document with one element around it.')
  }
  const document = emptyObject()
  document[name] = valueOf(root, name)
  return document
}

/** What is skipped as a whole: comments, CDATA, instructions. */
const skipped = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

/**
 * Goes over the text once, before the parser does, whose time grows by the square of the depth. Refuses
 * document types, too many levels, and anything that is opened and not closed.
 */
function refuseHostile(xml: string, maxDepth: number): void {
  let depth = 0
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const part = skipped.find(([open]) => xml.startsWith(open, at))
    if (part) {
      const [open, close] = part
      at = endOf(xml.indexOf(close, at + open.length)) + close.length
      continue
    }
    if (xml.startsWith('<!', at)) {
      throw new JsonProblem('syntax', 'XML with a document type is not read.')
    }
    const end = endOf(endOfTag(xml, at + 1))
    if (xml[at + 1] === '/') depth -= 1
    else if (xml[end - 1] !== '/') depth += 1
    if (depth > maxDepth) {
      const message = `The XML is nested more than ${maxDepth} levels deep.`
      throw new JsonProblem('too_deep', message)
    }
    at = end + 1
  }
}

function endOf(position: number): number {
  if (position >= 0) return position
  throw new JsonProblem('syntax', 'The text is not well-formed XML: a part of it is not closed.')
}

/** Where the `>` of a tag is; attributes may hold others. -1: nowhere. */
function endOfTag(xml: string, start: number): number {
  const sign = /["'<>]/g
  sign.lastIndex = start
  for (let found = sign.exec(xml); found; found = sign.exec(xml)) {
    const [quote] = found
    if (quote === '>') return found.index
    if (quote === '<') return -1
    const close = xml.indexOf(quote, sign.lastIndex)
    if (close < 0) return -1
    sign.lastIndex = close + 1
  }
  return -1
}

function parseNodes(xml: string): OrderedNode[] {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    processEntities: false,
    cdataPropName: cdataKey,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: 1_000,
    strictReservedNames: false,
    onDangerousProperty: (name: string) => name,
  })
  try {
    return parser.parse(xml) as OrderedNode[]
  } catch {
    throw new JsonProblem('syntax', 'The text is not XML that can be read.')
  }
}

const nameOf = (node: OrderedNode) => Object.keys(node).find((key) => key !== attributesKey)

function valueOf(node: OrderedNode, name: string): ExactJson {
  const children = node[name] as OrderedNode[]
  const element = emptyObject()
  const attributes = Object.entries((node[attributesKey] ?? {}) as Record<string, string>)
  for (const [key, value] of attributes) element[key] = decoded(value)
  const text = textOf(children)
  const parts = children.filter((child) => !isText(child))
  if (attributes.length === 0 && parts.length === 0) return text
  for (const part of parts) addElement(element, part)
  if (text !== '') element[textKey] = text
  return element
}

const isText = (node: OrderedNode) => textKey in node || cdataKey in node

function addElement(parent: ExactObject, node: OrderedNode): void {
  const name = nameOf(node)
  // An object can't have this name as a key of its own without a trick.
  if (name === undefined || name === '__proto__') {
    throw new JsonProblem('syntax', 'The XML has an element with a name that is not read.')
  }
  const value = valueOf(node, name)
  const before = Object.hasOwn(parent, name) ? parent[name] : undefined
  if (before === undefined) parent[name] = value
  else if (Array.isArray(before)) before.push(value)
  else parent[name] = [before, value]
}

function textOf(children: readonly OrderedNode[]): string {
  const parts = children.map((child) => {
    if (textKey in child) return decoded(String(child[textKey]))
    if (!(cdataKey in child)) return ''
    const [inside] = child[cdataKey] as OrderedNode[]
    const text = inside?.[textKey]
    return typeof text === 'string' ? text : ''
  })
  return parts.join('').replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
}

/** The five entities that XML knows by itself, and character references (XML 1.0 §4.1, §4.6). */
function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([\w.:-]+));/g,
    (whole, hex, decimal, name) => {
      if (name !== undefined) {
        const known = Object.hasOwn(entities, name) ? entities[name] : undefined
        if (known !== undefined) return known
        throw new JsonProblem('syntax', 'The XML uses an entity that it does not define.')
      }
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      if (!isCharacter)
        throw new JsonProblem('syntax', 'The XML refers to a character that is none.')
      return String.fromCodePoint(code) || whole
    },
  )
}
