import { parseSync } from 'vite'
import { lineBreaksOf, shownText } from './jsx-text.ts'
import { hasWords, looksShown, modeOf, nameOf, type Mode, type Node } from './text-places.ts'

interface FoundTexts {
  /** The code with each text looked up; the numbers of its lines are those of the source. */
  code: string
  /** Each text once, in its order: `{0}`, `{1}` stand for what is filled in. */
  texts: string[]
}

interface Edit {
  start: number
  end: number
  code: string
}

/** Names that no module uses for anything else. */
export const lookUp = '__text'
export const lookUpNodes = '__nodes'

/**
 * Finds the texts of a module that people read, and has them looked up in the language of the page. A
 * text in JSX is taken with the elements and values in it, so that a translation can put them in another order.
 *
 * @throws {Error} for source that is no TypeScript.
 */
export function findTexts(file: string, source: string): FoundTexts {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const edits: Edit[] = []
  const texts = new Set<string>()
  visit(program as unknown as Node, 'shown', { source, edits, texts })
  return { code: apply(source, edits), texts: [...texts] }
}

interface Finding {
  source: string
  edits: Edit[]
  texts: Set<string>
}

function visit(node: Node, mode: Mode, finding: Finding): void {
  if (node.type === 'Literal' && typeof node['value'] === 'string') {
    takeLiteral(node, node['value'], mode, finding)
    return
  }
  if (node.type === 'TemplateLiteral') takeTemplate(node, mode, finding)
  const isElement = node.type === 'JSXElement' || node.type === 'JSXFragment'
  const isWritten = isElement ? takeSentence(node, mode, finding) : () => false
  for (const [property, value] of Object.entries(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child) && !isWritten(child)) visitChild(node, property, child, mode, finding)
}

function visitChild(parent: Node, property: string, child: Node, mode: Mode, finding: Finding) {
  const inner = modeOf(parent, property, mode)
  if (parent.type !== 'JSXAttribute' || child.type !== 'Literal') {
    visit(child, inner, finding)
    return
  }
  const raw = finding.source.slice(child.start + 1, child.end - 1)
  const text = shownText(raw)
  if (!isTaken(text, inner)) return
  finding.texts.add(text)
  const code = `{${lookUp}(${JSON.stringify(text)})}${lineBreaksOf(raw)}`
  finding.edits.push({ start: child.start, end: child.end, code })
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const isTaken = (text: string, mode: Mode) =>
  mode === 'all' ? hasWords(text) && looksReadable(text) : mode === 'shown' && looksShown(text)

/** Addresses and values of styles are shown to nobody, or as they are. */
const looksReadable = (text: string) => !/^[/#]|^\w+:\/\/|^var\(--/.test(text)

function takeLiteral({ start, end }: Node, text: string, mode: Mode, { edits, texts }: Finding) {
  if (!isTaken(text, mode)) return
  texts.add(text)
  edits.push({ start, end, code: `${lookUp}(${JSON.stringify(text)})` })
}

function takeTemplate(node: Node, mode: Mode, { edits, texts }: Finding) {
  const quasis = node['quasis'] as (Node & { value: { cooked: string } })[]
  const values = node['expressions'] as Node[]
  const cooked = quasis.map(({ value }) => value.cooked)
  const words = cooked.join(' ')
  if (!isTaken(cooked.join('x'), mode) || !hasWords(words)) return
  if (mode === 'shown' && !looksShown(words.trim())) return
  const text = cooked.map((piece, at) => (at === 0 ? piece : `{${at - 1}}${piece}`)).join('')
  texts.add(text)
  const bounds = [node.start, ...values.flatMap(({ start, end }) => [start, end]), node.end]
  const pieces = [
    `${lookUp}(${JSON.stringify(text)}${values.length > 0 ? ', (' : ''}`,
    ...values.slice(1).map(() => '), ('),
    values.length > 0 ? '))' : ')',
  ]
  if (values.length === 0) edits.push({ start: node.start, end: node.end, code: pieces.join('') })
  else
    pieces.forEach((code, at) =>
      edits.push({ start: bounds[2 * at] ?? 0, end: bounds[2 * at + 1] ?? 0, code }),
    )
}

/**
 * The children of an element that has words of its own are one text. Says which of them that text has
 * taken in.
 */
function takeSentence(node: Node, mode: Mode, finding: Finding): (child: Node) => boolean {
  const children = withoutIcons(node['children'] as Node[])
  const pieces = children.map((child) => pieceOf(child, finding.source))
  const hasText = pieces.some((piece) => piece !== null && hasWords(piece))
  if (!hasText || modeOf(node, 'children', mode) === 'none') return () => false
  const filled: Node[] = []
  let text = ''
  children.forEach((child, at) => {
    const piece = pieces[at]
    if (piece !== null) text += piece
    else if (!isEmpty(child)) text += `{${filled.push(child) - 1}}`
  })
  writeSentence(children, filled, text, finding)
  return (child) => children.includes(child) && !filled.includes(child)
}

/** Icons before and after a text are no part of it. */
function withoutIcons(children: Node[]): Node[] {
  const isSentence = (child: Node) => !isIcon(child) && !isBlank(child)
  return children.slice(children.findIndex(isSentence), children.findLastIndex(isSentence) + 1)
}

const isIcon = (child: Node) =>
  child.type === 'JSXElement' &&
  nameOf((child['openingElement'] as Node)['name'] as Node).startsWith('Icon')

const isBlank = (child: Node) => child.type === 'JSXText' && String(child['value']).trim() === ''

/** A piece of the sentence itself; null for what is filled in. */
function pieceOf(child: Node, source: string): string | null {
  if (child.type === 'JSXText') return shownText(source.slice(child.start, child.end))
  const inner = child['expression'] as Node | undefined
  if (child.type !== 'JSXExpressionContainer' || inner?.type !== 'Literal') return null
  return typeof inner['value'] === 'string' ? inner['value'] : null
}

/** A comment in braces. */
const isEmpty = (child: Node) =>
  child.type === 'JSXExpressionContainer' &&
  (child['expression'] as Node).type === 'JSXEmptyExpression'

function writeSentence(children: Node[], filled: Node[], whole: string, finding: Finding) {
  const { source, edits, texts } = finding
  const [, before = '', text = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(whole) ?? []
  texts.add(text)
  const name = filled.length > 0 ? lookUpNodes : lookUp
  const start = children[0]?.start ?? 0
  const end = children.at(-1)?.end ?? 0
  const open = `${before && "{' '}"}{${name}(${JSON.stringify(text)}`
  edits.push({ start, end: start, code: open })
  for (const child of children) {
    if (!filled.includes(child)) {
      const code = lineBreaksOf(source.slice(child.start, child.end))
      edits.push({ start: child.start, end: child.end, code })
    } else if (child.type === 'JSXExpressionContainer') {
      edits.push({ start: child.start, end: child.start + 1, code: ', (' })
      edits.push({ start: child.end - 1, end: child.end, code: ')' })
    } else edits.push({ start: child.start, end: child.start, code: ', ' })
  }
  edits.push({ start: end, end, code: `)}${after && "{' '}"}` })
}

function apply(source: string, edits: Edit[]): string {
  let code = ''
  let at = 0
  // Stable: of edits at one place, the one that was found first goes first.
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) continue
    code += source.slice(at, edit.start) + edit.code
    at = edit.end
  }
  return code + source.slice(at)
}
